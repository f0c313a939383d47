import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { toQuotable } from '../domain/text/quotableText.ts'
import { createMandate } from '../operations/mandates/createMandate.ts'
import { type Operation, parseInput } from '../operations/operation.ts'
import { withdraw } from '../operations/withdrawals/withdraw.ts'
import { authorizes } from './annotations.ts'
import { answer, type ToolDeps } from './answer.ts'
import { type AskState, answerOf, ask, type Question, wayToAsk } from './asking.ts'
import { onChain, toInputSchema, toOutputSchema } from './tool.ts'

type Grant<I extends z.ZodObject> = {
  name: string
  title: string
  description: string
  operation: Operation & { output: z.ZodObject }
  input: I
  /** The question that the user is asked, in the words of this service only. */
  question(input: z.output<I>): string
}

export type GrantEntry = Omit<Grant<z.ZodObject>, 'question'> & {
  output: z.ZodObject
  /** @throws Problem invalid-input */
  toQuestion(raw: unknown): { input: Record<string, unknown>; words: string }
}

const undone = { done: z.boolean().describe('False when nothing has happened yet'), message: z.string() }

const grant = <I extends z.ZodObject>({ question, ...it }: Grant<I>): GrantEntry => ({
  ...it,
  output: it.operation.output.partial().extend(undone),
  toQuestion(raw) {
    const input = parseInput(it.input, raw)
    return { input, words: question(input) }
  },
})

const quote = (text: string | number) => toQuotable(String(text), 100)
/** An absent chain id never means real money. */
const toChainText = (chainId: number | undefined) =>
  chainId === undefined ? 'the test chain of the service' : `chain ${chainId}`
const usdc = z.union([z.string().max(100), z.number()]).describe('USDC')

/**
 * Tools that withdraw money or allow spending without a question. Each requires the user's approval, in the client or on the
 * web page.
 */
export const grantTools: readonly GrantEntry[] = [
  grant({
    name: 'withdraw',
    title: 'Withdraw',
    operation: withdraw,
    description:
      "Send USDC, coin or tokens from the user's custodial wallet, or an agent's, " +
      "to the user's own wallet or a known address, after the user's yes.",
    input: withdraw.input.extend({
      ...onChain,
      agent_id: z.string().max(200).optional().describe("Agent to withdraw from; the user's wallet when absent"),
      amount: usdc.optional().describe('Of the asset; all when absent'),
    }),
    question: ({ agent_id, amount, asset, chain_id, to }) =>
      `Send ${amount === undefined ? 'all free' : quote(amount)} ${quote(asset)} from ` +
      `${agent_id === undefined ? 'your custodial wallet' : `the wallet of agent ${quote(agent_id)}`} ` +
      `(${toChainText(chain_id)}) to ${to === undefined ? 'your own wallet' : quote(to)}?`,
  }),
  grant({
    name: 'create_mandate',
    title: 'Set a budget',
    operation: createMandate,
    description: "Let the butler hire without asking, within limits, after the user's yes.",
    input: createMandate.input.extend({
      ...onChain,
      max_per_job: usdc,
      max_per_period: usdc,
      ask_above: usdc.optional(),
      categories: z.array(z.string().max(200)).max(20).optional(),
      expires_at: z.string().max(40).optional().describe('ISO 8601'),
    }),
    question: ({ chain_id, max_per_job, max_per_period, period, ask_above, categories, expires_at }) =>
      [
        `Let the butler hire on ${toChainText(chain_id)} without asking you: ` +
          `at most ${quote(max_per_job)} USDC a job and ${quote(max_per_period)} USDC a ${period}`,
        ...(ask_above === undefined ? [] : [`asking above ${quote(ask_above)} USDC`]),
        ...(categories?.length ? [`only for ${categories.map(quote).join(', ')}`] : []),
        expires_at === undefined ? 'for 90 days?' : `until ${quote(expires_at)}?`,
      ].join('; '),
  }),
]

/**
 * Registers a tool that takes effect only after the user's approval. A call asks the user through the client, or returns the
 * URL of the page where the user can do it.
 */
export const registerGrant = (server: McpServer, entry: GrantEntry, deps: ToolDeps & { askState: AskState }) => {
  const { name, title, description, operation, input, output } = entry
  const schemas = { inputSchema: toInputSchema(input), outputSchema: toOutputSchema(output) }
  const config = { title, description, annotations: authorizes, ...schemas }
  server.registerTool(name, config, async (raw, ctx) => {
    const asksByForm = wayToAsk(server, ctx) === 'form'
    const answered = asksByForm ? answerOf(name, ctx) : undefined
    let question: Question | undefined
    const result = await answer(deps, async () => {
      if (answered?.isYes) {
        const { asked } = answered
        const done = z
          .record(z.string(), z.unknown())
          .parse(await deps.call(operation, asked.input, { key: asked.key, isApproved: true }))
        return () => ({ view: { ...done, done: true, message: 'Done, after the user said yes.' } })
      }
      if (answered)
        return () => toNothingDone('The user did not say yes, so nothing was done.', 'Ask again only if your user wants it.')
      const { words, input: wanted } = entry.toQuestion(raw)
      question = { words, asked: { tool: name, input: wanted, key: crypto.randomUUID() } }
      const step = `Ask your user to open ${deps.page} and to do it there.`
      return () => toNothingDone('Only the user can do this, and this client cannot ask its user.', step)
    })
    return question && asksByForm ? ask(deps.askState, question) : result
  })
}

const toNothingDone = (message: string, nextStep: string) => ({ view: { done: false, message }, nextStep })
