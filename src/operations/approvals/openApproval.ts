import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { Problem } from '../../domain/problem.ts'
import type { ProposedTerms } from '../../domain/x402/purchaseProposal.ts'
import type { Run } from '../../ports.ts'
import { approvalRecord } from '../../records/approval.ts'
import { accessOf, type Deps, operation, userOf } from '../operation.ts'

const input = z.object({ run_id: z.string().max(100), code: z.string().max(100).describe('From the address of the page') })

export const readApproval = operation({
  name: 'readApproval',
  summary: 'The run whose proposal is answered at an address of requestApproval. Only its user reads it.',
  input,
  output: approvalRecord,

  async run(asked, deps, caller) {
    const { run, endsAt } = await approvalOf(deps, asked)
    if (run.user !== userOf(caller)) throw unknown()
    const { id, conversationId, chainId } = run
    return { run_id: id, conversation_id: conversationId, chain_id: chainId, expires_at: toIso(endsAt) }
  },
})

export const openAsDemo = operation({
  name: 'openAsDemo',
  summary: 'Get a token of a day for the demo user by an address of requestApproval (local service only).',
  caller: 'anyone',
  input,
  output: z.object({ token: z.string(), expires_at: z.string() }),

  async run(asked, deps) {
    const { run } = await approvalOf(deps, asked)
    if (!isDemo(deps, run)) throw unknown()
    const { token, expiresAt } = await accessOf(deps).issueForADay(run.user)
    return { token, expires_at: toIso(expiresAt) }
  },
})

const unknown = () => new Problem('not-found', 'This address is unknown, has ended, or belongs to another user.')

/** @throws Problem not-found, with the same words for every reason, so that a stranger learns nothing */
const approvalOf = async (deps: Deps, { run_id, code }: z.infer<typeof input>): Promise<{ run: Run; endsAt: number }> => {
  const run = await deps.store.run(run_id)
  const endsAt = run && endOfApproval(deps, run, code)
  if (!run || endsAt === undefined) throw unknown()
  return { run, endsAt }
}

type Asked = Pick<Run, 'id' | 'user'>

const purposeOf = ({ id, user }: Asked) => `approve:${user}:${id}`

/** The URL of the page where the user of a run answers its proposal. It ends with the proposal. */
export const toApprovalUrl = (deps: Deps, run: Asked, { lapsesAt }: ProposedTerms): string => {
  const code = accessOf(deps).codeFor(purposeOf(run), lapsesAt)
  const query = new URLSearchParams({ code, ...(isDemo(deps, run) && { demo: '1' }) })
  return `${deps.settings.publicUrl}/app/yes/${encodeURIComponent(run.id)}?${query}`
}

/** Whether the code is that of the URL for this run, and has not ended. */
const endOfApproval = (deps: Deps, run: Asked, code: string): number | undefined => accessOf(deps).endOfCode(code, purposeOf(run))

/** Whether the run belongs to the demo user of the local world, as whom a browser may sign in by the URL. */
const isDemo = ({ settings, demoUser }: Deps, { user }: Asked): boolean => settings.local && user === demoUser?.()
