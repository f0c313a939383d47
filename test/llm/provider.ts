import nock from 'nock'
import { z } from 'zod'
import { createAiModel } from '../../src/llm/aiSdk.ts'

const baseUrl = 'http://provider.test/v1'

/** A model whose provider exists only as scripted HTTP answers. */
export const createScripted = ({ timeoutMs = 5000 }: { timeoutMs?: number } = {}) =>
  createAiModel({ provider: 'openai-compatible', model: 'scripted', apiKey: 'key', baseUrl }, { timeoutMs })

const toCompletion = (content: string) => ({
  id: 'chat-1',
  object: 'chat.completion',
  created: 1,
  model: 'scripted',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})

const sent = z.looseObject({ messages: z.array(z.object({ role: z.string(), content: z.string() })) })

type Reply = { content: string } | { status: number; headers?: Record<string, string> } | 'hangs'

const hang = () => new Promise<never>(() => undefined)

/**
 * Scripts the next answers of the provider, in order.
 * @returns the system and user texts of each request, filled in as requests arrive
 */
export const script = (...replies: (Reply | string)[]) => {
  const asked: { system: string; user: string }[] = []
  for (const reply of replies) {
    nock(baseUrl)
      .post('/chat/completions')
      .reply(async (request: Request) => {
        const { messages } = sent.parse(await request.json())
        const said = (role: string) =>
          messages
            .filter(it => it.role === role)
            .map(it => it.content)
            .join('\n')
        asked.push({ system: said('system'), user: said('user') })
        if (reply === 'hangs') return hang()
        if (typeof reply === 'string') return [200, toCompletion(reply)]
        if ('content' in reply) return [200, toCompletion(reply.content)]
        return [reply.status, { error: { message: 'scripted' } }, reply.headers ?? {}]
      })
  }
  return asked
}
