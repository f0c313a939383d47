import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { limits } from '../domain/limits.ts'
import { toTermsText } from '../domain/x402/purchaseProposal.ts'
import { confirmHire } from '../operations/hires/confirmHire.ts'
import { proposeHire } from '../operations/hires/proposeHire.ts'
import { type Operation, parseInput } from '../operations/operation.ts'
import { readRun } from '../operations/runs/readRun.ts'
import type { RunRecord } from '../records/run.ts'
import { pays } from './annotations.ts'
import { answer, type ToolDeps } from './answer.ts'
import { approveUrlOf, awaitAnswer, openTermsOf } from './approval.ts'
import { type Answered, type AskState, answerOf, ask, type Question, wayToAsk } from './asking.ts'
import { runView, showRun } from './runView.ts'
import { drawn, type Nonces, withNonce } from './slip/slips.ts'
import { onChain, toInputSchema, toOutputSchema } from './tool.ts'

type Deps = ToolDeps & { askState: AskState; nonces?: Nonces | undefined }

type Reached = { run: RunRecord; mayAsk: boolean; waitMs?: number; approve_url?: string | undefined }
type Request = { raw: unknown; ctx: ServerContext; way: ReturnType<typeof wayToAsk> }

type YesTool = {
  name: string
  title: string
  description: string
  input: z.ZodObject
  operation: Operation
  /** Handles a call that answers no question. */
  begin(deps: Deps, request: Request): Promise<Reached>
}

const task = proposeHire.input.extend(onChain)

const hireTool: YesTool = {
  name: 'hire',
  title: 'Hire with the user’s yes',
  description:
    'Propose a hire and ask the user for the yes, where the client can. ' +
    'Else show the terms with approve_url, then call confirm_hire.',
  input: task,
  operation: proposeHire,
  begin: async ({ call }, { raw }) => {
    return { run: proposeHire.output.parse(await call(proposeHire, parseInput(task, raw))), mayAsk: true }
  },
}

const confirmTool: YesTool = {
  name: 'confirm_hire',
  title: 'Answer a proposal',
  description:
    'Yes: ask the user, in the client or at approve_url, wait for the answer, and tell the result. ' +
    'Only the user’s own yes pays. No: decline.',
  input: confirmHire.input,
  operation: confirmHire,
  begin: async (deps, { raw, ctx, way }) => {
    const { run_id, digest, decision, wait_ms } = parseInput(confirmHire.input, raw)
    if (decision === 'no') return { run: await confirm(deps, { run_id, digest, decision, wait_ms }), mayAsk: false }
    const run = readRun.output.parse(await deps.call(readRun, { run_id }))
    if (way !== undefined && openTermsOf(run)?.digest === digest) return { run, mayAsk: true, waitMs: wait_ms }
    return { ...(await awaitAnswer(deps, { run_id, digest, waitMs: wait_ms, ctx })), mayAsk: false }
  },
}

export const yesTools: readonly YesTool[] = [confirmTool, hireTool]

/**
 * Registers a tool that a hire needs the user's yes for. A client that can ask shows the terms to its user and returns the
 * answer. Any other gets the URL of the page where the user answers.
 */
export const registerYes = (server: McpServer, { name, title, description, input, begin }: YesTool, deps: Deps) => {
  const schemas = { inputSchema: toInputSchema(input), outputSchema: toOutputSchema(runView) }
  const isDrawn = deps.nonces !== undefined && name === hireTool.name
  const how = { title, description, annotations: pays, ...schemas, ...(isDrawn && { _meta: drawn }) }
  server.registerTool(name, how, async (raw, ctx) => {
    const way = wayToAsk(server, ctx)
    const answered = way && answerOf(name, ctx)
    let question: Question | undefined
    const result = await answer(deps, async () => {
      const reached = answered ? await settle(deps, answered, ctx) : await begin(deps, { raw, ctx, way })
      const { run, mayAsk } = reached
      const link = reached.approve_url ?? (way === 'form' ? undefined : await approveUrlOf(run, deps))
      if (mayAsk && way === 'form') question = toQuestion(name, reached)
      if (mayAsk && way === 'url' && link !== undefined) question = toQuestion(name, reached, link)
      return chars => showRun(run, { chars, link })
    })
    return question ? ask(deps.askState, question) : isDrawn ? withNonce(result, deps) : result
  })
}

const toQuestion = (tool: string, { run, waitMs }: Reached, url?: string): Question | undefined => {
  const terms = openTermsOf(run)
  if (!terms) return undefined
  const input = { run_id: run.run_id, digest: terms.digest, wait_ms: waitMs ?? limits.invokeWaitMs }
  const asked = { tool, input, key: '' }
  // The words of a run with an open plan are its terms.
  return { words: 'steps' in terms ? run.content : toTermsText(terms), asked, url }
}

const confirm = async ({ call }: Deps, input: z.input<typeof confirmHire.input>, how?: { isApproved: boolean }) =>
  confirmHire.output.parse(await call(confirmHire, input, how))

const named = z.object({ run_id: z.string(), digest: z.string(), wait_ms: z.number() })

/** Applies the answer of the user to the terms that were shown, and waits for the result. */
const settle = async (deps: Deps, { asked, isYes, isOpened }: Answered, ctx: ServerContext): Promise<Reached> => {
  const input = named.parse(asked.input)
  if (!isYes && !isOpened) return { run: await confirm(deps, { ...input, decision: 'no' }), mayAsk: false }
  if (isYes) await confirm(deps, { ...input, decision: 'yes', wait_ms: 0 }, { isApproved: true })
  const { run_id, digest, wait_ms: waitMs } = input
  return { ...(await awaitAnswer(deps, { run_id, digest, waitMs, ctx })), mayAsk: false }
}
