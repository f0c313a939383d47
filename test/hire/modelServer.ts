import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { z } from 'zod'

const asked = z.looseObject({ messages: z.array(z.looseObject({ content: z.string() })) })

/** A request to the model; `kind` is derived from its instructions. */
export type Question = { kind: 'understand' | 'choose' | 'fill' | 'wishes' | 'judge'; text: string }
export type Brain = (question: Question) => unknown

const marks: [mark: string, kind: Question['kind']][] = [
  ['"pick": number', 'choose'],
  ['"values":', 'fill'],
  ['"wishes":', 'wishes'],
  ['"findings":', 'judge'],
]
const kindOf = (text: string): Question['kind'] => marks.find(([mark]) => text.includes(mark))?.[1] ?? 'understand'

/** Starts a local server with the chat completions API of OpenAI, whose answers come from the test. */
export const startModelServer = async (brain: { answer: Brain }) => {
  const app = new Hono()
  const questions: Question[] = []
  app.post('/v1/chat/completions', async c => {
    const text = asked
      .parse(await c.req.json())
      .messages.map(it => it.content)
      .join('\n')
    const question = { kind: kindOf(text), text }
    questions.push(question)
    const answer = brain.answer(question)
    // A test that simulates a failing provider returns the HTTP response itself.
    if (answer instanceof Response) return answer
    const content = JSON.stringify(answer)
    return c.json({
      id: 'chat-1',
      object: 'chat.completion',
      created: 1,
      model: 'scripted',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    })
  })
  const server = createAdaptorServer({ fetch: app.fetch })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  const port = typeof bound === 'object' ? bound?.port : undefined
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    questions,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}
