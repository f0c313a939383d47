import { clockTime, span } from '../../domain/durations.ts'
import { nobody } from '../../domain/hex.ts'
import { toRefundedBy } from '../../domain/jobs/deadlines.ts'
import { isFinal } from '../../domain/jobs/job.ts'
import { formatUsdc, isAbove } from '../../domain/money/money.ts'
import { splitWords } from '../../language/words/words.ts'
import type { Job, Tables } from '../../ports.ts'
import { describeLiveness } from '../agents/reputations.ts'
import { whyNot } from '../hires/cancelJob.ts'
import { withdrawJob } from '../hires/closeJob.ts'
import { appealJob } from '../runs/appealRun.ts'
import { waitUntil } from '../waiting.ts'
import { type FactDeps, type Facts, inputOf, nameOf, sumOf } from './facts.ts'
import { describeEnded, describeLast } from './lastWork.ts'

/** Says what happens to the money if the agent does not deliver. */
export const fallback = ({ kind, terms, deadlines }: Job): string =>
  kind !== 'hire'
    ? 'It costs nothing.'
    : `If nothing is delivered by ${clockTime(deadlines.submitBy)}, ` +
      `you get your ${terms.total} USDC back by ${clockTime(toRefundedBy(deadlines))} at the latest.`

export const describeJob = async (deps: FactDeps, job: Job): Promise<string> => {
  const { terms, state, deadlines } = job
  const agent = terms.agentHandle
  const promise = `It promised ${span(terms.slaMinutes)}, so by ${clockTime(deadlines.submitBy)}.`
  const alive = await describeLiveness(deps, job.agentId)
  const sentences: Partial<Record<Job['state'], string>> = {
    open: `your yes is recorded, and ${terms.total} USDC are on their way into escrow.`,
    escrowed: `the money is in escrow, and the job is about to be offered to ${agent}.`,
    queued: `it waits for ${agent}, who has not started yet (${alive}).`,
    leased: `${agent} has taken it and is working on it.`,
    submitted: `${agent} has delivered, and the result is being checked.`,
    settling: 'the result passed its checks, and the payment is on its way.',
    rejected: 'it failed, and the money is on its way back to you.',
    expired: 'it ended without a result, and the money is on its way back to you.',
  }
  const isWaited = ['open', 'escrowed', 'queued', 'leased'].includes(state)
  const rest = isWaited ? ` ${promise} ${fallback(job)}` : ''
  return `${nameOf(job)}: ${sentences[state] ?? state}${rest}`
}

/** Describes the running jobs of the user, those of the conversation with their input, or else what ended last in it. */
export const status = async (deps: FactDeps, { run, underWay, ended }: Facts): Promise<string> => {
  const own = await Promise.all(underWay.map(async it => `${await describeJob(deps, it)}\nIt gets:\n${inputOf(it)}`))
  const all = run.user === nobody ? [] : await deps.store.jobs({ user: run.user, limit: 500, offset: 0 })
  const others = all.filter(it => !isFinal(it.state) && !underWay.some(one => one.id === it.id))
  const elsewhere = await Promise.all(others.slice(0, mostElsewhere).map(it => describeJob(deps, it)))
  const count = others.length > mostElsewhere ? ` ${others.length} run, the newest of them:` : ''
  const told = [...own, ...(elsewhere.length > 0 ? [`Ordered elsewhere:${count}\n${elsewhere.join('\n')}`] : [])]
  if (told.length > 0) return told.join('\n\n')
  if (ended) return `Nothing is running now. ${await describeLast(deps, ended)}`
  return 'Nothing is running, and no job was ordered in this conversation. Tell me what you need done.'
}

const mostElsewhere = 5

const everything = /\b(?:all|both|everything|every|them all)\b/i

/** Returns the jobs that a text names by their agent, offering or input. */
const namedIn = (text: string, jobs: Job[]): Job[] => {
  const said = new Set(splitWords(text).filter(it => it.length > 3))
  const scores = jobs.map(
    ({ terms }) => splitWords(`${terms.agentHandle} ${terms.offeringName} ${terms.input}`).filter(it => said.has(it)).length,
  )
  const most = Math.max(0, ...scores)
  return most === 0 ? [] : jobs.filter((_, at) => scores[at] === most)
}

/** Cancels the job that the user means. If several jobs are in progress and none is named, it asks which. */
export const cancel = async (
  deps: FactDeps,
  facts: Facts,
  { text, isOpen }: { text: string; isOpen: boolean },
): Promise<string> => {
  const { underWay, ended } = facts
  if (underWay.length === 0)
    return ended
      ? `There is nothing to cancel: the last job has already ended. ${await describeEnded(deps, ended)}`
      : 'There is nothing to cancel: nothing is running in this conversation.'
  const named = namedIn(text, underWay)
  const meant = everything.test(text) ? underWay : underWay.length === 1 && (!isOpen || named.length > 0) ? underWay : named
  if (meant.length === 0 || (meant.length > 1 && !everything.test(text))) return whichOne(underWay, isOpen)
  const told = await Promise.all(meant.map(it => takeBack(deps, it)))
  return told.join('\n')
}

const whichOne = (jobs: Job[], isOpen: boolean) =>
  [
    'Which one do you mean?',
    ...jobs.map(it => `- ${nameOf(it)}: say “cancel ${it.terms.agentHandle}”`),
    ...(isOpen ? ['- the proposal that is open: say “no”'] : []),
  ].join('\n')

/** Time in ms to wait until a hire that was just accepted reaches the chain. */
const hireMs = 5_000
/** Time in ms to wait for the refund of the escrow. After that it is only announced. */
const refundMs = 3_000

const takeBack = async (deps: FactDeps, before: Job): Promise<string> => {
  const at = { channel: `run:${before.runId}`, deadline: deps.clock.now() + hireMs }
  const isHired = async () => {
    const now = await deps.store.job(before.id)
    return now?.state === 'open' ? undefined : now
  }
  const job = (before.state === 'open' ? await waitUntil(deps, at, isHired) : undefined) ?? before
  const taken = await deps.store.atomically(tables => withdrawOnce(tables, deps, job))
  const isBack = async () => ((await deps.store.job(job.id))?.state === 'refunded' ? true : undefined)
  const back = taken && job.kind === 'hire' && (await waitUntil(deps, { ...at, deadline: deps.clock.now() + refundMs }, isBack))
  if (back) return `I cancelled ${nameOf(job)}. Your ${job.terms.total} USDC are back in your wallet.`
  if (taken)
    return job.kind !== 'hire'
      ? `I cancelled ${nameOf(job)}. It cost nothing.`
      : `I cancelled ${nameOf(job)}. The escrow is sending your ${job.terms.total} USDC back to your wallet, ` +
          'which takes a few seconds.'
  const now = (await deps.store.job(job.id)) ?? job
  return `${nameOf(job)} cannot be cancelled any more: ${whyNot(now)} ${fallback(now)}`
}

/** When a turn is repeated, its job is already withdrawn, which counts as success. */
const withdrawOnce = async (tables: Tables, deps: FactDeps, job: Job): Promise<boolean> => {
  if (await withdrawJob(tables, deps, job)) return true
  const now = await tables.job(job.id)
  return now !== undefined && ['expired', 'refunded'].includes(now.state) && now.reason.startsWith('You cancelled')
}

const asking =
  /\?|^\s*(?:and\s+|so\s+|now\s+)*(?:did|do|does|was|were|is|are|have|has|had|will|would|when|where|am|how|what|who|why)\b/i

/** Answers a request for a refund. It cancels a job that no agent has taken; otherwise it explains the state of the money. */
export const refund = async (deps: FactDeps, facts: Facts, of: { text: string; isOpen: boolean }): Promise<string> => {
  const { underWay, ended } = facts
  const [job] = underWay
  if (job && ['queued', 'escrowed', 'open'].includes(job.state) && !asking.test(of.text)) return cancel(deps, facts, of)
  if (job) {
    const how = ['queued', 'escrowed', 'open'].includes(job.state)
      ? 'Its agent has not started yet: say “cancel” to get the money back at once.'
      : `It cannot be cancelled while ${job.terms.agentHandle} works on it.`
    return `Your ${job.terms.total} USDC for ${nameOf(job)} are held in escrow, not paid out. ${how} ${fallback(job)}`
  }
  if (!ended) return 'There is nothing to refund: no job was ordered in this conversation.'
  if (ended.state !== 'settled') return `Yes: ${await describeEnded(deps, ended)}`
  return (
    `${await describeEnded(deps, ended)} After that, the escrow returns nothing. You can appeal within seven days: ` +
    `say “I appeal” and why. An appeal moves no money; it counts against ${ended.terms.agentHandle}.`
  )
}

/** Records an appeal against a paid job of the conversation, or says why no appeal is possible. */
export const appeal = async (deps: FactDeps, { underWay, jobs }: Facts, text: string): Promise<string> => {
  const job = jobs.find(it => it.state === 'settled')
  if (!job)
    return underWay.length > 0
      ? 'You can only appeal against an accepted result, and there is none yet.'
      : 'There is no accepted result in this conversation that you could appeal against.'
  const isDone = await deps.store.atomically(tables => appealJob(tables, job, { runId: job.runId, reason: text }))
  return isDone
    ? `Your appeal about ${nameOf(job)} is recorded. It counts against ${job.terms.agentHandle} in its reputation. ` +
        'The payment stands: the escrow returns nothing after a result was accepted.'
    : `${nameOf(job)} cannot be appealed: one appeal is possible, within seven days.`
}

export const jobsOf = async (deps: FactDeps, { run }: Facts): Promise<string> => {
  const all = await deps.store.jobs({ user: run.user, limit: 20, offset: 0 })
  if (all.length === 0) return 'You have no jobs yet; nothing has been ordered. Tell me what you need done.'
  return [
    all.length === 1 ? 'Your one job:' : `Your ${all.length} newest jobs, newest first:`,
    ...all.map(it => `- ${nameOf(it)}: ${it.state}, ${it.terms.total} USDC, ordered ${clockTime(it.createdAt)}`),
  ].join('\n')
}

const refundedStates = ['refunded', 'cancelled']

/** Describes the balance of the user's wallet, and whether it covers the open proposal. */
export const balance = async (deps: FactDeps, { run }: Facts, price: string | undefined): Promise<string> => {
  const chain = deps.chains.get(run.chainId)
  if (!chain) return 'That chain is not served here.'
  const wallet = await deps.wallets.ensure('user', run.user)
  const held = await chain.usdcBalance(wallet)
  const all = await deps.store.jobs({ user: run.user, limit: 500, offset: 0 })
  const locked = all.filter(
    it => !['settled', ...refundedStates].includes(it.state) && it.kind === 'hire' && it.chainId === run.chainId,
  )
  const text = formatUsdc(held, chain.usdcDecimals)
  const isEnough =
    price === undefined
      ? ''
      : isAbove(price, text)
        ? ` The proposal costs ${price} USDC, so that is not enough.`
        : ` The proposal costs ${price} USDC, so that is enough.`
  const escrow =
    locked.length > 0
      ? `${sumOf(deps, locked)} USDC are locked in escrow for ${locked.map(nameOf).join(', ')}.`
      : 'Nothing is locked in escrow.'
  return `Your wallet here (${wallet}) holds ${text} USDC. ${escrow}${isEnough}`
}
