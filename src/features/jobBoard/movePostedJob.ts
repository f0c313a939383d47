import { goalOf, nextPostedJob, type PostedJobEvent, postedJobState } from '../../domain/jobBoard/postedJob.ts'
import { Problem } from '../../domain/problem.ts'
import type { Caller, Deps } from '../../operations/operation.ts'
import type { JobRecord } from '../../records/postedJob.ts'
import { checkAuthor, checkProven, keyOf } from './people.ts'
import { boardOf, type PostedJob, type PostedJobPatch } from './ports.ts'
import { statusOfPostedJob, toPostingRecord } from './postingRecord.ts'

type Move = {
  jobId: string
  chainId: number | undefined
  event: PostedJobEvent
  by: { id: string; pointer: string }
  /** Whether this person of the job may do it. The provider is the first one to accept. */
  may(postedJob: PostedJob, key: string): boolean
  patch: PostedJobPatch
}

/**
 * Moves a posted job as its table allows. A repeated step by the same person returns the current state, because existing
 * clients repeat requests whose answer was lost.
 * @throws Problem job-not-found, wrong-owner, job-taken, job-already-closed
 */
export const movePostedJob = async (
  deps: Deps,
  { jobId, chainId, event, by, may, patch }: Move,
  caller: Caller,
): Promise<JobRecord> => {
  // An evaluator may be a contract, which cannot have a token, so a token is not checked there.
  if (event !== 'complete') checkAuthor(by.id, caller, by.pointer)
  const board = boardOf(deps.store)
  const before = await board.postedJob(jobId)
  if (!before || (chainId !== undefined && before.chainId !== chainId)) throw new Problem('job-not-found')
  checkProven(before, by.id, caller)
  const key = await keyOf(deps, by.id)
  if (!may(before, key)) throw new Problem('job-taken', 'Another user or agent has this role in the job.', by.pointer)
  const to = goalOf[event]
  const from = postedJobState.options.filter(state => nextPostedJob(state, event) === to)
  // The conditional write decides. What follows only explains the result.
  const moved = await board.movePostedJob(jobId, { from, to, patch })
  const now = deps.clock.now()
  if (moved) return toPostingRecord(moved, now)
  const after = (await board.postedJob(jobId)) ?? before
  if (after.state === to && may(after, key)) return toPostingRecord(after, now)
  throw new Problem('job-already-closed', `The job is ${statusOfPostedJob(after, now)}.`)
}
