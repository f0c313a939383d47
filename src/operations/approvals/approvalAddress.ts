import type { ProposedTerms } from '../../domain/x402/purchaseProposal.ts'
import type { Run } from '../../ports.ts'
import { accessOf, type Deps } from '../operation.ts'

type Asked = Pick<Run, 'id' | 'user'>

const purposeOf = ({ id, user }: Asked) => `approve:${user}:${id}`

/** The URL of the page where the user of a run answers its proposal. It ends with the proposal. */
export const toApprovalUrl = (deps: Deps, run: Asked, { lapsesAt }: ProposedTerms): string => {
  const code = accessOf(deps).codeFor(purposeOf(run), lapsesAt)
  const query = new URLSearchParams({ code, ...(isDemo(deps, run) && { demo: '1' }) })
  return `${deps.settings.publicUrl}/app/yes/${encodeURIComponent(run.id)}?${query}`
}

/** Whether the code is that of the URL for this run, and has not ended. */
export const endOfApproval = (deps: Deps, run: Asked, code: string): number | undefined =>
  accessOf(deps).endOfCode(code, purposeOf(run))

/** Whether the run belongs to the demo user of the local world, as whom a browser may sign in by the URL. */
export const isDemo = ({ settings, demoUser }: Deps, { user }: Asked): boolean => settings.local && user === demoUser?.()
