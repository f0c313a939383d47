import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { z } from 'zod'
import { completion, responses, streamed } from './modelStream.ts'

const asked = z.looseObject({
  messages: z.array(z.looseObject({ content: z.string() })),
  tools: z.array(z.unknown()).default([]),
  stream: z.boolean().default(false),
})

const part = z.union([
  z.string(),
  z.array(z.looseObject({ text: z.string().default('') })).transform(it => it.map(one => one.text).join('\n')),
])
const askedOfResponses = z.looseObject({
  instructions: z.string().default(''),
  input: z.array(z.looseObject({ content: part.default('') })),
  tools: z.array(z.unknown()).default([]),
})

/** What a model was asked, told by the instructions it was given. */
export type Question = { kind: 'turn' | 'judge' | 'phrase'; text: string; hasTools: boolean; isResponses?: boolean }
/** A call of a tool with its arguments. */
export type Call = { tool: string } & Record<string, unknown>
/** What a model says and calls in a turn. */
export type Turn = { words?: string; calls?: Call[] }
/** The answer: a turn, or JSON, or a whole response; a promise that never ends is a provider that hangs. */
export type Brain = (question: Question) => unknown

const marks: [mark: string, kind: Question['kind']][] = [
  ['"findings":', 'judge'],
  ['{"text": string}', 'phrase'],
]
const kindOf = (text: string): Question['kind'] => marks.find(([mark]) => text.includes(mark))?.[1] ?? 'turn'

/** The JSON value that stands under a title of a prompt. */
export const under = ({ text }: Question, title: string) => {
  const from = text.lastIndexOf(`${title}:\n`)
  return from < 0 ? undefined : JSON.parse(text.slice(from + title.length + 2).split('\n')[0] ?? '')
}
/** The newest message of a turn. */
export const newest = (question: Question): string => under(question, 'Newest message')

/** The number of the first candidate with this text in its line; -1 if none has it. */
export const candidateWith = ({ text }: Question, mark: string): number => {
  const line = text.split('\n').find(it => it.startsWith('{"candidate":') && it.includes(mark))
  return line === undefined ? -1 : Number(JSON.parse(line).candidate)
}

const turn = z.object({ words: z.string().default(''), calls: z.array(z.looseObject({ tool: z.string() })).default([]) })

/** Starts a local server with the chat completions and the Responses API of OpenAI, whose answers come from the test. */
export const startModelServer = async (brain: { answer: Brain }) => {
  const app = new Hono()
  const questions: Question[] = []
  app.post('/v1/chat/completions', async c => {
    const { messages, tools, stream } = asked.parse(await c.req.json())
    const text = messages.map(it => it.content).join('\n')
    const question = { kind: kindOf(text), text, hasTools: tools.length > 0 }
    questions.push(question)
    const answer = await brain.answer(question)
    // A provider that fails answers for itself.
    if (answer instanceof Response) return answer
    const read = turn.safeParse(answer)
    if (!stream) return completion({ content: JSON.stringify(answer) })
    if (!question.hasTools || !read.success) return streamed({ content: JSON.stringify(answer), calls: [] })
    return streamed({ content: read.data.words, calls: read.data.calls })
  })
  app.post('/v1/responses', async c => {
    const { instructions, input, tools } = askedOfResponses.parse(await c.req.json())
    const text = [instructions, ...input.map(it => it.content)].join('\n')
    const question = { kind: kindOf(text), text, hasTools: tools.length > 0, isResponses: true }
    questions.push(question)
    const answer = await brain.answer(question)
    if (answer instanceof Response) return answer
    const read = turn.parse(answer)
    return responses({ content: read.words, calls: read.calls })
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
