import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { invokeOutput } from '../../src/operations/messages/invoke.ts'
import { runEventRecord } from '../../src/records/run.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { eventsOf, plain, provider, talk } from './market.ts'

let market: TestService
/** While true, reading the run log fails, as if the disk were gone. */
let isDiskGone = false
beforeAll(async () => {
  const wrap: NonNullable<Parameters<typeof startTestService>[0]>['wrap'] = ({ store, chain }) => {
    const runTail: typeof store.runTail = (...page) =>
      isDiskGone ? Promise.reject(new Error('disk secret')) : store.runTail(...page)
    return { chain, store: { ...store, runTail } }
  }
  market = await startTestService({ wrap, env: { LOG_LEVEL: 'silent' } })
  await market.agent({ handle: 'poet', offerings: [plain('0.5')], handler: () => 'An old silent pond\u2028A frog' })
})
afterAll(() => market?.stop())

type Frame = { id: string | undefined; raw: string; data: unknown }
const toFrame = (block: string): Frame => {
  const line = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1]
  return { id: line('id'), raw: block, data: JSON.parse(line('data') ?? 'null') }
}

/** Reads the frames of a stream until it ends, or disconnects once `enough` returns true. */
const readStream = async (response: Response, enough = (_frames: Frame[]) => false): Promise<Frame[]> => {
  const frames: Frame[] = []
  let rest = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    frames.push(...blocks.filter(it => it.includes('data:')).map(toFrame))
    if (enough(frames)) break
  }
  return frames
}

const send = ({ token }: User, path: string, { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {}) =>
  fetch(`${market.url}${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })

const say = async (user: User, message: string) =>
  readStream(await send(user, '/invoke/stream', { body: { message, context: { conversation_id: 'c' } } }))

const progress = runEventRecord.pick({ run_id: true, type: true, summary_text: true })
const closing = invokeOutput.extend({ type: z.string(), summary: z.string(), output: z.string() })

test('a streamed hire reports each step once in plain words, and closes with the whole answer', async () => {
  const user = await market.user('ada')
  const asked = await say(user, 'Hire agent poet to write a haiku')
  const proposal = closing.parse(asked.at(-1)?.data)
  expect(proposal).toMatchObject({ type: 'run_completed', success: true, data: { state: 'awaiting-confirmation' } })
  expect(proposal.output).toBe(proposal.content)
  const hired = await say(user, 'yes')
  expect(closing.parse(hired.at(-1)?.data)).toMatchObject({ type: 'run_completed', data: { state: 'completed' } })

  const lines = [...asked.slice(0, -1), ...hired.slice(0, -1)].map(it => progress.parse(it.data))
  expect(lines.every(it => it.summary_text.length > 0 && it.run_id === proposal.run_id)).toBe(true)
  const told = (await eventsOf(user, proposal.run_id)).map(it => it.type)
  const inClosing = ['message', 'proposed', 'answer']
  expect(lines.map(it => it.type)).toEqual(told.filter(it => !inClosing.includes(it)))
  // Some clients treat U+2028 as the end of a line.
  expect(hired.some(it => /[\u0085\u2028\u2029]/.test(it.raw))).toBe(false)
})

test('a stream that fails closes with run_error and does not reveal the cause', async () => {
  const user = await market.user('unlucky')
  isDiskGone = true
  const frames = await say(user, 'Hire agent poet to write a haiku').finally(() => {
    isDiskGone = false
  })
  expect(frames.at(-1)?.data).toMatchObject({ type: 'run_error', run_id: expect.stringMatching(/^run_/) })
  expect(frames.map(it => it.raw).join('')).not.toContain('disk secret')
})

test('an invalid message is refused before the stream begins', async () => {
  const user = await market.user('mute')
  const response = await send(user, '/invoke/stream', { body: { message: ' ' } })
  expect([response.status, await response.json()]).toMatchObject([422, { code: 'invalid-input' }])
})

test('the events of a run come as an array, page by page, or as a stream that follows the run', async () => {
  const user = await market.user('watcher')
  const poet = await provider(market, plain('0.5'))
  const { say: tell } = talk(user)
  const { run_id } = await tell(`Hire agent ${poet.handle} to write a haiku`)
  await tell('yes', 0)
  const { job_id } = await poet.take()
  const following = send(user, `/runs/${run_id}/events`).then(response => readStream(response))
  await poet.deliver(job_id, 'An old silent pond')
  const followed = await following
  const log = await eventsOf(user, run_id)
  expect(followed.map(it => it.data)).toEqual(log)
  expect(followed.map(it => it.id)).toEqual(log.map(it => String(it.seq)))
  expect(log.at(-1)).toMatchObject({ type: 'answer' })
  const rest = await user.client.get(`/runs/${run_id}/events?after=3`)
  expect(rest).toEqual(log.slice(3))
})

test('an interrupted stream resumes after its last event, without a gap or a duplicate', async () => {
  const user = await market.user('tunnel')
  const poet = await provider(market, plain('0.5'))
  const { say: tell } = talk(user)
  const { run_id } = await tell(`Hire agent ${poet.handle} to write a haiku`)
  await tell('yes', 0)
  const { job_id } = await poet.take()
  const path = `/runs/${run_id}/events`
  const begun = await readStream(await send(user, path), frames => frames.length >= 4)
  await poet.deliver(job_id, 'An old silent pond')
  const resumed = await readStream(await send(user, path, { headers: { 'last-event-id': begun.at(-1)?.id ?? '' } }))
  expect([...begun, ...resumed].map(it => it.data)).toEqual(await eventsOf(user, run_id))
  const again = await readStream(await send(user, path, { headers: { 'last-event-id': resumed.at(-1)?.id ?? '' } }))
  expect(again).toEqual([])
  const odd = await send(user, path, { headers: { 'last-event-id': 'x' } })
  expect([odd.status, await odd.json()]).toMatchObject([422, { code: 'invalid-input' }])
})
