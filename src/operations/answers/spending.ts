import { clockTime, dayMs } from '../../domain/durations.ts'
import { isAbove } from '../../domain/money/money.ts'
import type { Job } from '../../ports.ts'
import { type FactDeps, type Facts, nameOf, sumOf, sumOfAmounts } from './facts.ts'
import { describeLast } from './lastWork.ts'

const nothingSpent = 'You have spent 0 USDC: nothing was paid to anybody.'
const toCount = (number: number, noun: string) => (number === 1 ? `1 ${noun}` : `${number} ${noun}s`)

const today = /\btoday\b/i
const asksBack = /\b(?:back|refund(?:ed|s)?)\b/i
const asksEach = /\b(?:receipts?|payments?|purchases?|bought|buy|ordered|each)\b/i
/** A question for those who were paid. */
const asksWho = /\b(?:who|whom|which agents?)\b/i
const maxListed = 10

/** The handles among the user's jobs that a text names. */
const handlesIn = (text: string, jobs: Job[]): Set<string> => {
  const isNamed = (handle: string) =>
    new RegExp(String.raw`(?<![\p{L}\p{N}_.-])${RegExp.escape(handle)}(?![\p{L}\p{N}_-])`, 'iu').test(text)
  return new Set(jobs.map(it => it.terms.agentHandle).filter(isNamed))
}

/** Describes what the user has paid, what is in escrow, and what was returned: to the agents of a question, or today, if it says so. */
export const spending = async (deps: FactDeps, { run, ended }: Facts, text: string): Promise<string> => {
  const every = await deps.store.jobs({ user: run.user, limit: 500, offset: 0 })
  const handles = handlesIn(text, every)
  const isToday = today.test(text)
  const from = isToday ? deps.clock.now() - (deps.clock.now() % dayMs) : 0
  const all = every.filter(it => it.createdAt >= from && (handles.size === 0 || handles.has(it.terms.agentHandle)))
  const isAll = handles.size === 0 && !isToday
  const paid = all.filter(it => it.state === 'settled')
  const held = all.filter(it => !['settled', 'refunded', 'cancelled'].includes(it.state) && it.kind === 'hire')
  const back = all.filter(it => it.state === 'refunded' && it.kind === 'hire')
  const own = handles.size > 0 ? [] : ((await deps.store.purchases?.({ user: run.user, limit: 500 })) ?? [])
  const bought = own.filter(it => it.state === 'paid' && it.createdAt >= from)
  const of = `${handles.size > 0 ? ` on ${[...handles].join(' and ')}` : ''}${isToday ? ' today (UTC)' : ''}`
  const none = held.length > 0 ? 'You have spent 0 USDC so far: no agent has been paid.' : nothingSpent
  const total = `You have spent ${sumOf(deps, paid)} USDC${isAll ? ' in all' : of}, for ${toCount(paid.length, 'job')}.`
  const told = [
    ...(isAll && ended?.state === 'settled' ? [await describeLast(deps, ended)] : []),
    ...(paid.length > 0 || !isAll ? [total] : bought.length > 0 ? [] : [none]),
    ...(bought.length > 0
      ? [`You have paid ${sumOfAmounts(deps, bought)} USDC for ${toCount(bought.length, 'purchase')} by x402.`]
      : []),
    ...(held.length > 0 ? [`${sumOf(deps, held)} USDC are held in escrow for ${held.map(nameOf).join(', ')}.`] : []),
    ...(back.length > 0 ? [`${sumOf(deps, back)} USDC came back to you.`] : []),
    ...(back.length === 0 && asksBack.test(text) ? ['Nothing has come back to you.'] : []),
  ].join(' ')
  return [told, ...(asksWho.test(text) ? byAgent(deps, paid) : []), ...(asksEach.test(text) ? toLines(deps, paid) : [])].join(
    '\n',
  )
}

/** What each agent was paid, the most first. */
const byAgent = (deps: FactDeps, paid: Job[]): string[] =>
  Map.groupBy(paid, it => it.terms.agentHandle)
    .entries()
    .map(([handle, jobs]) => ({ handle, jobs, sum: sumOf(deps, jobs) }))
    .toArray()
    .sort((a, b) => (isAbove(b.sum, a.sum) ? 1 : isAbove(a.sum, b.sum) ? -1 : 0))
    .slice(0, maxListed)
    .map(({ handle, jobs, sum }) => `- ${handle}: ${sum} USDC for ${toCount(jobs.length, 'job')}`)

const toLines = (deps: FactDeps, paid: Job[]): string[] =>
  paid.slice(0, maxListed).map(it => `- ${clockTime(it.createdAt)}: ${nameOf(it)}, ${sumOf(deps, [it])} USDC`)
