import nock from 'nock'
import { z } from 'zod'
import { createAiModel } from '../../src/llm/aiSdk.ts'
import type { TurnQuestion } from '../../src/ports.ts'
import { streamed } from '../hire/modelStream.ts'

const baseUrl = 'http://provider.test/v1'

type Limits = { timeoutMs?: number; firstTokenMs?: number; dir?: string }

/** A model whose provider exists only as scripted HTTP answers. */
export const createScripted = ({ timeoutMs = 5000, ...limits }: Limits = {}) =>
  createAiModel({ provider: 'openai-compatible', model: 'scripted', apiKey: 'key', baseUrl }, { timeoutMs, ...limits })

/** A question about a market with one candidate. */
export const questionWith = (more: Partial<TurnQuestion> = {}): TurnQuestion => ({
  ...{ now: Date.UTC(2026, 10, 23, 13), text: 'summarise a text', shown: 0, looked: [] },
  situation: { stage: 'none', hasJob: false, hasEnded: false },
  talk: { messages: [], jobs: [] },
  candidates: [summary],
  ...more,
})
export const summary = {
  ...{ name: 'Text summary', agent: 'scribe', description: 'Summarises texts', examples: [], price: '0.1', slaMinutes: 5 },
  requirement: { type: 'object', properties: { text: { type: 'string', description: 'The text' } } },
}

const sent = z.looseObject({
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  tools: z.array(z.unknown()).default([]),
})

type Call = { tool: string } & Record<string, unknown>
type Reply = { calls: Call[]; words?: string } | { status: number; headers?: Record<string, string> } | 'hangs'

const hang = () => new Promise<never>(() => undefined)

/**
 * Scripts the next answers of the provider, in order. A text is an answer without a call of a tool.
 * @returns the system and user texts of each request, filled in as requests arrive
 */
export const script = (...replies: (Reply | string)[]) => {
  const asked: { system: string; user: string; hasTools: boolean }[] = []
  for (const reply of replies) {
    nock(baseUrl)
      .post('/chat/completions')
      .reply(async (request: Request) => {
        const { messages, tools } = sent.parse(await request.json())
        const said = (role: string) =>
          messages
            .filter(it => it.role === role)
            .map(it => it.content)
            .join('\n')
        asked.push({ system: said('system'), user: said('user'), hasTools: tools.length > 0 })
        if (reply === 'hangs') return hang()
        if (typeof reply !== 'string' && 'status' in reply)
          return [reply.status, { error: { message: 'scripted' } }, reply.headers ?? {}]
        const { words = '', calls } = typeof reply === 'string' ? { words: reply, calls: [] } : reply
        const body = await streamed({ content: words, calls }).text()
        return [200, body, { 'content-type': 'text/event-stream' }]
      })
  }
  return asked
}
