import { isFinal } from '../../domain/jobs/job.ts'
import { type Atomic, sumUsdc } from '../../domain/money/money.ts'
import { toLabelled } from '../../domain/text/labelled.ts'
import type { Job, Purchase, Run } from '../../ports.ts'
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
