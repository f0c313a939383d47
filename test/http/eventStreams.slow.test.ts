import { EventSource } from 'eventsource'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService, type User } from '../service.ts'

let market: TestService
let user: User
/** Runs whose log cannot be read any more, so that a stream of them gets events from memory only. */
const unreadable = new Set<string>()
/** How often the tail of each run was read. */
const reads = new Map<string, number>()

beforeAll(async () => {
  const wrap: NonNullable<Parameters<typeof startTestService>[0]>['wrap'] = ({ store, chain }) => {
    const runTail: typeof store.runTail = (runId, ...page) => {
      reads.set(runId, (reads.get(runId) ?? 0) + 1)
      return unreadable.has(runId) ? Promise.reject(new Error('the disk is gone')) : store.runTail(runId, ...page)
    }
    // The runs of this file are written by the test, so no worker may advance them.
    return { chain, store: { ...store, runTail, claimRuns: async () => [] } }
  }
  market = await startTestService({ wrap, env: { LOG_LEVEL: 'silent', MAX_STREAMS: '200', MAX_STREAMS_PER_USER: '200' } })
  user = await market.user('reader')
})
afterAll(() => market?.stop())

const addRun = async (id: string) => {
  const { store } = market.service.world.deps
  await store.addRun({ id, conversationId: id, user: walletOf(user), chainId: 97, task: 'Take notes', state: 'awaiting-job' })
  return store
}
const end = (id: string) => market.service.world.deps.store.endCalledRun(id, { state: 'completed', answer: 'Done' })

const walletOf = ({ wallet }: User): `0x${string}` => `0x${wallet.replace(/^.*0x/, '').toLowerCase()}`

/** The whole text of a run's stream, without its comments. */
const follow = async (id: string, last = '0') => {
  const headers = { authorization: `Bearer ${user.token}`, accept: 'text/event-stream', 'last-event-id': last }
  const response = await fetch(`${market.url}/runs/${id}/events`, { headers })
  expect(response.status).toBe(200)
  return response.text().then(text => text.replaceAll(': still here\n\n', ''))
}

const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await new Promise(resolve => setImmediate(resolve))
}

const said = (summary: string, data = {}) => ({ kind: 'understood' as const, summary, data })

test('a stream fed from memory and one fed from the store are the same bytes, and neither has an event that was rolled back', async () => {
  const store = await addRun('run_bytes')
  const live = follow('run_bytes')
  await until(() => reads.get('run_bytes') === 1)
  unreadable.add('run_bytes')
  for (const text of ['plain', 'a\0b \ud800 \u2028 ä 🦆', 'line\r\nline'])
    await store.addRunEvent('run_bytes', said(text, { text, deep: [1e21, null, { ключ: -0 }] }))
  const undone = store.atomically(async tables => {
    await tables.addRunEvent('run_bytes', said('never'))
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await store.atomically(async tables => {
    await tables.addRunEvent('run_bytes', said('first of two'))
    await tables.addRunEvent('run_bytes', said('second of two'))
  })
  for (const _ of ['once', 'not twice']) await store.addRunEvent('run_bytes', { ...said('keyed'), key: 'once' })
  await Promise.all(Array.from({ length: 12 }, (_, at) => store.addRunEvent('run_bytes', said(`together ${at}`))))
  expect(reads.get('run_bytes')).toBe(1)
  unreadable.delete('run_bytes')
  await end('run_bytes')
  const text = await live
  expect(text).toBe(await follow('run_bytes'))
  expect(text.match(/^id: .*$/gm)).toEqual(Array.from({ length: 18 }, (_, at) => `id: ${at + 1}`))
  expect(text).not.toContain('never')
})

test('readers of one run that began at different events get all later ones, also long ones and more than wait in memory', async () => {
  const store = await addRun('run_many')
  for (const at of [1, 2, 3]) await store.addRunEvent('run_many', said(`before ${at}`))
  const live = ['0', '1', '2', '3'].map(last => follow('run_many', last))
  await until(() => (reads.get('run_many') ?? 0) >= 4)
  await store.addRunEvent('run_many', said('x'.repeat(20_000)))
  await store.atomically(async tables => {
    for (const at of Array.from({ length: 100 }).keys()) await tables.addRunEvent('run_many', said(`burst ${at}`))
  })
  await store.addRunEvent('run_many', said('last'))
  await end('run_many')
  const texts = await Promise.all(live)
  for (const [at, text] of texts.entries()) expect(text).toBe(await follow('run_many', `${at}`))
  expect(texts[0]?.match(/^id: /gm)).toHaveLength(105)
})

/** Reads a stream with the standard EventSource until it closes itself. Returns the ids of its events, and its connections. */
const read = (id: string) =>
  new Promise<{ ids: string[]; statuses: number[] }>(resolve => {
    const [ids, statuses]: [string[], number[]] = [[], []]
    const connect: typeof fetch = async (url, init) => {
      const headers = { ...init?.headers, authorization: `Bearer ${user.token}` }
      const response = await fetch(url, { ...init, headers })
      statuses.push(response.status)
      return response
    }
    const source = new EventSource(`${market.url}/runs/${id}/events`, { fetch: connect })
    source.onmessage = ({ lastEventId }) => ids.push(lastEventId)
    source.onerror = () => source.readyState === EventSource.CLOSED && resolve({ ids, statuses })
  })

test('a standard EventSource gets the whole story of a run, reconnects once after its end, and stops', async () => {
  const store = await addRun('run_source')
  await store.addRunEvent('run_source', said('first'))
  const live = read('run_source')
  await until(() => reads.get('run_source') === 1)
  await store.addRunEvent('run_source', said('second'))
  await end('run_source')
  const whole = { ids: ['1', '2'], statuses: [200, 204] }
  expect([await live, await read('run_source')]).toEqual([whole, whole])
  // What is added to the log of an ended run is sent to a reader that has the rest.
  await store.addRunEvent('run_source', said('later'))
  expect(await follow('run_source', '2')).toContain('later')
})
