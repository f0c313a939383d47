import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { startTestService, type TestService, type User, until } from '../service.ts'
import { ask, eventsOf, talk } from './market.ts'
import { type Brain, candidateWith, newest, type Question, startModelServer } from './modelServer.ts'

// The words of a model reach the user while the model still writes, each sentence after its check.

const task = 'What time is it in Tokyo right now?'
const words = [
  'Somebody here tells the time in Tokyo. ',
  'I paid 3 USDC for you. ',
  'Look at https://evil.example now. ',
  'Shall we look?',
]
const propose = (question: Question) => ({
  ...{ tool: 'propose_hire', language: 'en', candidates: [candidateWith(question, 'city-clock')], task: newest(question) },
  input: { city: 'Tokyo' },
})

const brain: { answer: Brain } = { answer: () => ({}) }
let server: Awaited<ReturnType<typeof startModelServer>>
let markets: { name: string; market: TestService }[]
beforeAll(async () => {
  server = await startModelServer({ answer: question => brain.answer(question) })
  vi.stubEnv('OPENAI_BASE_URL', server.baseUrl)
  const chat = await startTestService({ env: { MODEL_BASE_URL: server.baseUrl, MODEL: 'scripted' } })
  const openai = await startTestService({ env: { OPENAI_API_KEY: 'none', MODEL: 'scripted' } })
  markets = [
    { name: 'chat completions', market: chat },
    { name: 'the Responses API', market: openai },
  ]
  for (const { market } of markets) {
    await market.cityClock()
    await until('the clock to be found', async () =>
      JSON.stringify((await ask(market, '/offerings/search?query=local%20time')).body).includes('city-clock'),
    )
  }
})
afterAll(async () => {
  vi.unstubAllEnvs()
  for (const it of markets ?? []) await it.market.stop()
  await server?.close()
})

/** A model that writes its words, and calls its tool only when the test lets it. */
const holding = (question: Question) => {
  const gate = Promise.withResolvers<void>()
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  const { tool, ...given } = propose(question)
  const call = { index: 0, id: 'call', type: 'function', function: { name: tool, arguments: JSON.stringify(given) } }
  const bytes = new TextEncoder()
  const body = new ReadableStream({
    async start(controller) {
      for (const it of words) controller.enqueue(bytes.encode(chunk({ content: it })))
      await gate.promise
      for (const it of [chunk({ tool_calls: [call] }), chunk({}, 'tool_calls'), 'data: [DONE]\n\n'])
        controller.enqueue(bytes.encode(it))
      controller.close()
    },
  })
  return { release: gate.resolve, response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }) }
}

const open = async (user: User, message: string) => {
  const [{ market } = { market: undefined }] = markets
  const response = await fetch(`${market?.url}/invoke`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ threadId: crypto.randomUUID(), runId: 'ag', messages: [{ role: 'user', content: message }] }),
  })
  return eventsIn(response)
}

/** The events of a stream as they come. */
async function* eventsIn({ body }: Response) {
  let rest = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const it of blocks) if (it.includes('data:')) yield event.parse(JSON.parse(/^data: ?(.*)$/m.exec(it)?.[1] ?? 'null'))
  }
}
const event = z.looseObject({ type: z.string() })

test('a sentence of a model is sent while the model still writes, and a sentence that claims something never is', async () => {
  const [{ market } = { market: undefined }] = markets
  if (!market) throw new Error('there is no market')
  let held: ReturnType<typeof holding> | undefined
  brain.answer = question => {
    held ??= holding(question)
    return held.response
  }
  const user = await market.user('listener')
  const told: Record<string, unknown>[] = []
  for await (const it of await open(user, task)) {
    told.push(it)
    // The model has not called its tool yet, so this came before its answer was whole.
    if (it.type === 'TEXT_MESSAGE_CONTENT') held?.release()
    if (it.type === 'RUN_FINISHED') break
  }
  const [first, ...rest] = told.filter(it => it.type === 'TEXT_MESSAGE_CONTENT').map(it => it.delta)
  expect(first).toBe('Somebody here tells the time in Tokyo.')
  expect(rest.join('')).toContain('I propose to hire City Clock')
  expect(JSON.stringify(told)).not.toMatch(/3 USDC|evil/)
  const [starts, ends] = ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_END'].map(type => told.filter(it => it.type === type))
  expect(starts?.map(it => it.messageId)).toEqual(ends?.map(it => it.messageId))
})

test('each kind of provider, over HTTP, leads from a sentence to a paid deliverable, and its words are told first', async () => {
  brain.answer = question => ({ words: words.join(''), calls: [propose(question)] })
  for (const { name, market } of markets) {
    const user = await market.user('buyer')
    const { say } = talk(user)
    const asked = await say(task)
    expect([name, asked.data.state, asked.data.proposal?.input]).toEqual([name, 'awaiting-confirmation', '{"city":"Tokyo"}'])
    const events = await eventsOf(user, asked.run_id)
    expect(events.filter(it => it.type === 'words').map(it => it.summary_text)).toEqual([
      'Somebody here tells the time in Tokyo.',
      'Shall we look?',
    ])
    expect((await say('yes')).data).toMatchObject({ state: 'completed', job: { state: 'settled' } })
  }
})
