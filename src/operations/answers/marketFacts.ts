import { span } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import type { MarketQuestion } from '../../language/text/marketQuestion.ts'
import type { ListedOrder, ListedService } from '../../ports.ts'
import type { Deps } from '../operation.ts'

type MarketDeps = Pick<Deps, 'store' | 'gateway'>

/** Number of offerings that an answer names. */
const named = 3
const nameChars = 60

const orders: Partial<Record<MarketQuestion, ListedOrder>> = {
  cheapest: 'price',
  dearest: 'price',
  quickest: 'speed',
  newest: 'newest',
  busiest: 'jobs',
  online: 'sample',
}
const leads: Record<MarketQuestion, string> = {
  cheapest: 'These cost the least here',
  dearest: 'These cost the most here',
  quickest: 'These promise the shortest time here',
  newest: 'These are the newest here',
  busiest: 'These were paid for the most jobs here',
  online: 'These are online now',
  count: 'These are some of them',
}

const toLine = ({ name, agentName, agentHandle, price, slaMinutes }: ListedService, at: number) =>
  `${at + 1}. “${toQuotable(name, nameChars)}” by ${toQuotable(agentName, nameChars)} (${agentHandle}): ` +
  `${price} USDC, up to ${span(slaMinutes)}`

/** The offerings that answer a question about the market, from the tables at this moment. */
const readAsked = async ({ store, gateway }: MarketDeps, question: MarketQuestion, count: number): Promise<ListedService[]> => {
  const order = orders[question] ?? 'sample'
  const agentIds = question === 'online' ? gateway.presence.healthy().slice(0, limits.filteredAgents) : undefined
  if (agentIds?.length === 0) return []
  const isLast = question === 'dearest'
  const offset = isLast ? Math.max(0, count - named) : 0
  const found = await store.listed({ order, limit: named, offset, ...(agentIds && { agentIds }) })
  return isLast ? found.toReversed() : found
}

/** Answers a question about the whole market: what is cheapest, quickest, newest or online, or how much there is. */
export const describeMarket = async (deps: MarketDeps, question: MarketQuestion): Promise<string> => {
  const count = await deps.store.countListed()
  const listed = count === 1 ? '1 offering is listed now.' : `${count} offerings are listed now.`
  const found = await readAsked(deps, question, count)
  if (found.length === 0)
    return `${count === 0 ? 'No offering is listed at the moment.' : `${listed} None of their agents is online.`}`
  return [`${listed} ${leads[question]}:`, ...found.map(toLine), 'Tell me what you need, and I propose who does it.'].join('\n')
}
