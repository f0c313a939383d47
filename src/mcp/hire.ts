import { acceptedContent, createRequestStateCodec, inputRequired, type McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { toProposalText } from '../domain/proposalText.ts'
import { confirmHire } from '../operations/hires/confirmHire.ts'
import { proposeHire } from '../operations/hires/proposeHire.ts'
import { type RunRecord, runRecord } from '../operations/runs/runRecord.ts'
import { answer, type ToolDeps } from './answer.ts'
import { pays } from './tools.ts'

/** What is carried from the question to its answer: signed, because the client could change it. */
const waiting = z.object({ run_id: z.string(), digest: z.string() })
type Waiting = z.infer<typeof waiting>
export type HireState = ReturnType<typeof createHireState>

/** A proposal lapses after fifteen minutes, and so does what was asked about it. */
const secondsToAnswer = 15 * 60

/** Signs what goes through the client. Each process has a key of its own: after a restart the question is asked again. */
export const createHireState = () => {
  const key = crypto.getRandomValues(new Uint8Array(32))
  return createRequestStateCodec<Waiting>({ key, ttlSeconds: secondsToAnswer })
}

const decision = z.object({ hire: z.boolean().describe('Yes, hire and pay on these terms') })

/**
 * One tool from the task to the deliverable: the client shows the terms to its user and brings the user's own yes or no
 * (multi-round input of MCP 2026-07-28). Clients that cannot ask use propose_hire and confirm_hire.
 */
export const registerHire = (server: McpServer, deps: ToolDeps & { hireState: HireState }) => {
  const description =
    'Propose a hire and ask the user for the yes through the client. Where the client cannot ask its user, use propose_hire and confirm_hire.'
  const { input: inputSchema } = proposeHire
  const config = { title: 'Hire with the user’s yes', description, inputSchema, outputSchema: runRecord, annotations: pays }
  server.registerTool('hire', config, async (input, ctx) => {
    const asked = waiting.safeParse(ctx.mcpReq.requestState())
    const said = acceptedContent(ctx.mcpReq.inputResponses, 'terms', decision)
    if (asked.success) return answer(deps, () => confirm(deps, asked.data, said?.hire === true))
    const proposed = await answer(deps, () => deps.call(proposeHire, input))
    const run = runRecord.safeParse(proposed.structuredContent)
    return run.success && run.data.proposal ? askUser(deps, run.data, run.data.proposal) : proposed
  })
}

const askUser = async (
  { hireState }: { hireState: HireState },
  { run_id }: RunRecord,
  proposal: NonNullable<RunRecord['proposal']>,
) =>
  inputRequired({
    inputRequests: { terms: inputRequired.elicit({ message: toProposalText(proposal), requestedSchema: decision }) },
    requestState: await hireState.mint({ run_id, digest: proposal.digest }),
  })

/** A user who closed the question said no. */
const confirm = ({ call }: ToolDeps, asked: Waiting, isYes: boolean) =>
  call(confirmHire, { ...asked, decision: isYes ? 'yes' : 'no' })
