import { span } from '../../domain/durations.ts'
import { isFinal } from '../../domain/jobs/job.ts'
import { limits } from '../../domain/limits.ts'
import { type Atomic, sumUsdc } from '../../domain/money/money.ts'
import { toLabelled } from '../../domain/text/labelled.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import type { MarketQuestion } from '../../language/text/marketQuestion.ts'
import { stem } from '../../language/words/stem.ts'
import { splitWords } from '../../language/words/words.ts'
import type { Job, ListedOrder, ListedService, Purchase, Run } from '../../ports.ts'
import { chainOf, type Deps } from '../operation.ts'

export type FactDeps = Pick<Deps, 'store' | 'chains' | 'clock' | 'gateway' | 'wallets' | 'wakeups' | 'buying'>

/** The database rows that an answer is based on. Jobs and purchases are listed newest first. */
export type Facts = { run: Run; jobs: Job[]; underWay: Job[]; ended: Job | undefined; bought: Purchase[] }

const maxJobs = 50

/**
 * Reads a run, and the jobs and purchases of its conversation.
 * @throws RangeError for an unknown run
 */
export const readFacts = async ({ store }: Pick<Deps, 'store'>, runId: string): Promise<Facts> => {
  const run = await store.run(runId)
  if (!run) throw new RangeError(`no run ${runId}`)
  const jobs = await store.jobsOfConversation(run.conversationId, run.user, maxJobs)
  const bought = (await store.purchasesOfConversation?.(run.conversationId, run.user, maxJobs)) ?? []
  const isOver = (job: Job) => isFinal(job.state)
  return { run, jobs, underWay: jobs.filter(it => !isOver(it)), ended: jobs.find(isOver), bought }
}

export const isUnpaid = ({ jobs, bought }: Facts): boolean => jobs.length === 0 && bought.length === 0

/** Names a job by its offering and agent: “Design a logo” by LogoForge. */
export const nameOf = ({ terms }: Job): string => `“${terms.offeringName}” by ${terms.agentHandle}`

/** What a job costs its user, in atomic USDC. The unused part of a usage price comes back with its payment. */
const costOf = ({ state, budget, returned = 0n }: Job): Atomic => (state === 'settled' ? budget - returned : budget)

/** Sums what jobs cost exactly, as decimal USDC, although chains differ in decimals. */
export const sumOf = (deps: Pick<Deps, 'chains'>, jobs: Job[]): string => {
  const costs = jobs.map(it => ({ chainId: it.chainId, amount: costOf(it) }))
  return sumOfAmounts(deps, costs)
}

export const sumOfAmounts = (deps: Pick<Deps, 'chains'>, of: { chainId: number; amount: Atomic }[]): string =>
  sumUsdc(of.map(({ chainId, amount }) => ({ amount, decimals: chainOf(deps, chainId).usdcDecimals })))

export const inputOf = ({ terms }: { terms: { input: string } }): string => toLabelled(terms.input)

/** One possible topic of a question: its name, the words that indicate it, separated by spaces, and its answer. */
export type Topic<T> = { name?: string; words: string; say: T }

/**
 * Returns the answer of the topic that is named, or else of the one with the most words in the text, the first one if several
 * have equally many. Returns undefined if no topic has any.
 */
export const topicOf = <T>(text: string, topics: Topic<T>[], named = ''): T | undefined => {
  const meant = topics.find(it => it.name !== undefined && it.name === named)
  if (meant) return meant.say
  const said = new Set(splitWords(text.replace(/n['’]t\b/g, ' not')).map(stem))
  const scored = topics.map(({ words, say }) => ({ say, score: words.split(' ').filter(it => said.has(stem(it))).length }))
  const best = scored.reduce<{ say: T; score: number } | undefined>((a, b) => (a && a.score >= b.score ? a : b), undefined)
  return best && best.score > 0 ? best.say : undefined
}

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
