import type { McpServer } from '@modelcontextprotocol/server'
import { toProposalText } from '../domain/proposalText.ts'
import { confirmHire } from '../operations/hires/confirmHire.ts'
import { proposeHire } from '../operations/hires/proposeHire.ts'
import { parseInput } from '../operations/operation.ts'
import { pays } from './annotations.ts'
import { answer, type ToolDeps } from './answer.ts'
import { type AskState, answerOf, ask, canAsk } from './asking.ts'
import { runView, showRun } from './runView.ts'
import { onChain, toInputSchema, toOutputSchema } from './tool.ts'

const name = 'hire'

export const hireTool = {
  name,
  description:
    'Propose a hire and, where the client can, ask the user for the yes at once. Otherwise show the proposal and call confirm_hire.',
  input: proposeHire.input.extend(onChain),
}

/**
 * One tool from the task to the deliverable: the client shows the terms to its user and returns the user's answer. A client
 * that cannot ask gets the proposal, as from propose_hire.
 */
export const registerHire = (server: McpServer, deps: ToolDeps & { askState: AskState }) => {
  const { description, input } = hireTool
  const schemas = { inputSchema: toInputSchema(input), outputSchema: toOutputSchema(runView) }
  const config = { title: 'Hire with the user’s yes', description, annotations: pays, ...schemas }
  server.registerTool(name, config, async (raw, ctx) => {
    const answered = answerOf(name, ctx)
    const isAsking = answered === undefined && canAsk(server, ctx)
    let question: Parameters<typeof ask> | undefined
    const result = await answer(deps, async () => {
      const run = answered ? await confirm(deps, answered) : await propose(deps, raw)
      if (isAsking && run.proposal && run.state === 'awaiting-confirmation') {
        const { digest } = run.proposal
        const state = { tool: name, input: { run_id: run.run_id, digest }, key: '' }
        question = [deps.askState, toProposalText(run.proposal), state]
      }
      return chars => showRun(run, { chars })
    })
    return question ? ask(...question) : result
  })
}

const propose = async ({ call }: ToolDeps, raw: unknown) =>
  proposeHire.output.parse(await call(proposeHire, parseInput(hireTool.input, raw)))

const confirm = async ({ call }: ToolDeps, { asked, isYes }: NonNullable<ReturnType<typeof answerOf>>) =>
  confirmHire.output.parse(await call(confirmHire, { ...asked.input, decision: isYes ? 'yes' : 'no' }))
