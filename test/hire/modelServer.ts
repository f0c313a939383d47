import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { z } from 'zod'

const asked = z.looseObject({ messages: z.array(z.looseObject({ content: z.string() })) })

/** What a model was asked, told by the instructions it was given. */
export type Question = { kind: 'read' | 'choose' | 'fill' | 'wishes' | 'judge' | 'phrase'; text: string }
/** The answer as JSON, or a whole response; a promise that never ends is a provider that hangs. */
export type Brain = (question: Question) => unknown

const marks: [mark: string, kind: Question['kind']][] = [
  ['"act": string', 'read'],
  ['"pick": number', 'choose'],
  ['"values":', 'fill'],
  ['"wishes":', 'wishes'],
  ['"findings":', 'judge'],
  ['{"text": string}', 'phrase'],
]
const kindOf = (text: string): Question['kind'] => marks.find(([mark]) => text.includes(mark))?.[1] ?? 'read'

/** What a model reads in a message that says nothing but its act. */
export const reading = {
  act: 'task',
  language: 'en',
  tasks: [{ words: '', search: '' }],
  ...{ choice: null, maxPrice: null, agent: null, deadline: null, category: null },
  inputs: [],
}

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
    const answer = await brain.answer(question)
    // A provider that fails answers for itself.
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
