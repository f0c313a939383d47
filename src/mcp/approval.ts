import type { ServerContext } from '@modelcontextprotocol/server'
import { limits } from '../domain/limits.ts'
import { Problem } from '../domain/problem.ts'
import { requestApproval } from '../operations/approvals/approvals.ts'
import { type ApprovalRequest, approvalRequest } from '../records/approval.ts'
import type { RunRecord } from '../records/run.ts'
import type { ToolDeps } from './answer.ts'

type Asked = { run_id: string; digest: string }

const request = async ({ call }: Pick<ToolDeps, 'call'>, asked: Asked, waitMs: number): Promise<ApprovalRequest> =>
  approvalRequest.parse(await call(requestApproval, { ...asked, wait_ms: waitMs }))

/** The terms that a run waits with for its user: of a hire, a purchase or a plan; undefined while it does not. */
export const openTermsOf = ({ state, proposal, purchase, plan }: RunRecord) =>
  state === 'awaiting-confirmation' ? (proposal ?? purchase ?? plan) : undefined

/** The URL where the user answers the proposal of a run; undefined without an open proposal, or without a user. */
export const approveUrlOf = async (run: RunRecord, deps: Pick<ToolDeps, 'call'>): Promise<string | undefined> => {
  const digest = openTermsOf(run)?.digest
  if (digest === undefined) return undefined
  try {
    return (await request(deps, { run_id: run.run_id, digest }, 0)).approve_url
  } catch (error) {
    // The proposal has just ended, or belongs to a caller without a token, who can read it only.
    if (error instanceof Problem) return undefined
    throw error
  }
}

/**
 * Waits until the user has answered and the run needs its user again or has ended, at most `waitMs`. A client that asked for
 * progress is told at once where its user answers, and then every few seconds what happens.
 * @throws Problem run-not-found, proposal-changed, proposal-expired
 */
export const awaitAnswer = async (
  deps: Pick<ToolDeps, 'call'>,
  { waitMs, ctx, ...asked }: Asked & { waitMs: number; ctx: ServerContext },
): Promise<ApprovalRequest> => {
  const tell = progressOf(ctx)
  if (!tell) return request(deps, asked, waitMs)
  for (let now = await request(deps, asked, 0), left = waitMs; ; left -= limits.mcpProgressMs) {
    if (left <= 0 || !isWaiting(now, asked)) return now
    await tell(wordsOf(now))
    now = await request(deps, asked, Math.min(left, limits.mcpProgressMs))
  }
}

const isWaiting = ({ run }: ApprovalRequest, { digest }: Asked): boolean =>
  run.state === 'working' || run.state === 'awaiting-job' || openTermsOf(run)?.digest === digest

const wordsOf = ({ approve_url, run }: ApprovalRequest): string => {
  if (approve_url) return `Waiting for your user to answer at ${approve_url}`
  return run.job ? `Hired. The job is ${run.job.state}.` : 'Your user answered.'
}

/** Sends a message about the progress of a request; undefined when its client asked for none. */
const progressOf = ({ mcpReq }: ServerContext): ((message: string) => Promise<void>) | undefined => {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return undefined
  let progress = 0
  return async message => {
    progress += 1
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
  }
}
