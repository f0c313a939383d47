import { isFinal } from '../../domain/job.ts'
import { toLabelled } from '../../domain/labelled.ts'
import { formatUsdc, mostDecimals } from '../../domain/money.ts'
import type { Job, Run } from '../../ports.ts'
import { chainOf, type Deps } from '../operation.ts'

export type FactDeps = Pick<Deps, 'store' | 'chains' | 'clock' | 'gateway' | 'wallets' | 'wakeups'>

/** The database rows that an answer is based on. Jobs are listed newest first. */
export type Facts = { run: Run; jobs: Job[]; underWay: Job[]; ended: Job | undefined }

const mostJobs = 50

/**
 * Reads a run and the jobs of its conversation.
 * @throws RangeError for an unknown run
 */
export const readFacts = async ({ store }: Pick<Deps, 'store'>, runId: string): Promise<Facts> => {
  const run = await store.run(runId)
  if (!run) throw new RangeError(`no run ${runId}`)
  const jobs = await store.jobsOfConversation(run.conversationId, run.user, mostJobs)
  const isOver = (job: Job) => isFinal(job.state)
  return { run, jobs, underWay: jobs.filter(it => !isOver(it)), ended: jobs.find(isOver) }
}

/** Names a job by its offering and agent: “Design a logo” by LogoForge. */
export const nameOf = ({ terms }: Job): string => `“${terms.offeringName}” by ${terms.agentHandle}`

/** Sums the budgets of jobs exactly, as decimal USDC, although chains differ in decimals. */
export const sumOf = (deps: Pick<Deps, 'chains'>, jobs: Job[]): string => {
  const atoms = jobs.map(it => {
    const { usdcDecimals } = chainOf(deps, it.chainId)
    return it.budget * 10n ** BigInt(mostDecimals - usdcDecimals)
  })
  return formatUsdc(
    atoms.reduce((a, b) => a + b, 0n),
    mostDecimals,
  )
}

/** Formats the input of a job as labelled lines. */
export const inputOf = ({ terms }: { terms: { input: string } }): string => toLabelled(terms.input)
