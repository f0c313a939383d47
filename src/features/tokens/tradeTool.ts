import { z } from 'zod'
import { authorizes } from '../../mcp/annotations.ts'
import { answer } from '../../mcp/answer.ts'
import { answerOf, ask, type Question, wayToAsk } from '../../mcp/asking.ts'
import type { AskingTool } from '../../mcp/server.ts'
import { toInputSchema, toOutputSchema } from '../../mcp/tool.ts'
import { parseInput } from '../../operations/operation.ts'
import { quoteRecord, tradeRecord } from '../../records/token.ts'
import { quoteTrade } from './quoteTrade.ts'
import { tradeToken } from './tradeToken.ts'

const name = 'trade_token'

const description = "Quote a purchase or sale of an agent's token, and make it after the user's yes to the quote."
const input = z.object({
  token: z.string().max(200).describe('Address, or agent'),
  side: z.enum(['buy', 'sell']),
  amount: z.union([z.string().max(100), z.number()]).describe('Paid, or tokens sold'),
  asset: z.string().max(10).optional().describe('USDC, WBNB, BNB'),
  chain_id: z.number().int().optional(),
})

const output = quoteRecord
  .partial()
  .extend(tradeRecord.partial().shape)
  .extend({ done: z.boolean().describe('False when nothing was traded'), message: z.string() })

/**
 * Quotes a trade, and lets the client ask its user for the yes to exactly this quote. A client that cannot ask gets the quote,
 * and its user trades on the page.
 */
const register: AskingTool['register'] = (server, deps) => {
  const schemas = { inputSchema: toInputSchema(input), outputSchema: toOutputSchema(output) }
  const config = { title: 'Trade an agent token', description, annotations: authorizes, ...schemas }
  server.registerTool(name, config, async (raw, ctx) => {
    const asksByForm = wayToAsk(server, ctx) === 'form'
    const answered = asksByForm ? answerOf(name, ctx) : undefined
    let question: Question | undefined
    const result = await answer(deps, async () => {
      if (answered?.isYes) {
        const how = { key: answered.asked.key, isApproved: true }
        const trade = tradeRecord.parse(await deps.call(tradeToken, answered.asked.input, how))
        const done = trade.status !== 'failed'
        return () => ({ view: { ...trade, done, message: done ? 'Traded after the user said yes.' : trade.reason } })
      }
      if (answered) return () => ({ view: { done: false, message: 'The user did not say yes, so nothing was traded.' } })
      const quote = quoteRecord.parse(await deps.call(quoteTrade, parseInput(input, raw)))
      const { token, chain_id, digest } = quote
      question = { words: quote.text, asked: { tool: name, input: { token, chain_id, digest }, key: digest } }
      const view = { ...quote, done: false, message: 'A quote only: this client cannot ask its user.' }
      return () => ({ view, nextStep: `Show the quote. Your user can trade at ${deps.page}.` })
    })
    return question && asksByForm ? ask(deps.askState, question) : result
  })
}

export const tradeTool: AskingTool = { name, operation: tradeToken, input, register }
