import { createServer, type RequestListener } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { parseJson, sha256 } from '../../src/domain/json.ts'
import { limits } from '../../src/domain/limits.ts'
import { createDialer } from '../../src/net/dialer.ts'
import { expireJobs } from '../../src/workers/expireJobs.ts'
import { lapseLeases } from '../../src/workers/lapseLeases.ts'
import { pushJob, pushJobs, toPauseMs } from '../../src/workers/pushJobs.ts'
import { until } from '../service.ts'
import { offering } from '../store/rows.ts'
import { openWorld, type World } from '../world.ts'

let world: World
let agent: Awaited<ReturnType<World['agent']>>
const ends: (() => unknown)[] = []
beforeEach(async () => {
  world = await openWorld()
  agent = await world.agent('scribe', [offering({ id: 'free', price: '0', slaMinutes: 1 })])
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  await world.close()
})

const asked = z.object({
  message: z.string(),
  context: z.object({ run_id: z.string(), job_id: z.string(), chain_id: z.number() }),
})

/** Starts the agent's own server and records its requests. */
const serve = async (answer: RequestListener, { viaGateway = false } = {}) => {
  const bodies: { path: string; body: unknown }[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', it => {
      text += it
    })
    request.on('end', () => {
      bodies.push({ path: request.url ?? '', body: parseJson(text) })
      answer(request, response)
    })
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  ends.push(() => {
    server.closeAllConnections()
    return new Promise(done => server.close(done))
  })
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const words = { name: 'scribe', description: 'scribe', card: {} }
  await world.store.updateAgent(agent.key, { ...words, viaGateway, endpointUrl: `http://127.0.0.1:${port}/base/` })
  return bodies
}
const json =
  (status: number, body: unknown): RequestListener =>
  (_request, response) =>
    response.writeHead(status).end(JSON.stringify(body))
const hired = () => world.hired('run-1', { agentId: agent.id, offeringId: 'free', input: '{"talk":"é\u2028"}' })

/** Runs the worker once and waits until all its calls have ended. */
const push = async ({ allowsPrivate = true } = {}) => {
  const gateway = { ...world.deps.gateway, dialer: createDialer({ allowsPrivate, timeoutMs: 300 }) }
  const due = await world.store.pushableJobs(10)
  await Promise.all(due.map(it => pushJob({ ...world.deps, gateway }, it, new AbortController().signal)))
}

test('a job is sent to its agent’s own address with the agreed terms, and the content of the answer is the deliverable', async () => {
  const bodies = await serve(json(200, { success: true, content: 'notes \u2028 é' }))
  const { id } = await hired()
  await push()
  const [call, ...more] = bodies
  expect([call?.path, more]).toEqual(['/base/invoke', []])
  expect(asked.parse(call?.body)).toEqual({
    message: '{"talk":"é\u2028"}',
    context: { run_id: 'run-1', job_id: id, chain_id: 97 },
  })
  expect(await world.store.job(id)).toMatchObject({ state: 'submitted', deliverable: 'notes \u2028 é', attempt: 1 })
})

test('an agent without /invoke is called by A2A', async () => {
  const task = { kind: 'task', status: { state: 'completed' }, artifacts: [{ parts: [{ kind: 'text', text: 'notes' }] }] }
  const bodies = await serve((request, response) =>
    request.url?.endsWith('/a2a')
      ? json(200, { jsonrpc: '2.0', result: task })(request, response)
      : response.writeHead(404).end(),
  )
  const { id } = await hired()
  await push()
  expect(bodies.map(it => it.path)).toEqual(['/base/invoke', '/base/a2a'])
  expect(bodies[1]?.body).toMatchObject({
    jsonrpc: '2.0',
    method: 'message/send',
    params: { message: { parts: [{ kind: 'text' }] } },
  })
  expect(await world.store.job(id)).toMatchObject({ state: 'submitted', deliverable: 'notes' })
})

test('an agent that answers it cannot do the job has failed, with its reason', async () => {
  await serve(json(200, { success: false, content: '', error: 'out of ink' }))
  const { id } = await hired()
  await push()
  expect(await world.store.job(id)).toMatchObject({ state: 'refunded', reason: expect.stringContaining('out of ink') })
})

test.each<[string, RequestListener]>([
  ['answers 500', json(500, { success: false, content: '' })],
  ['redirects', (_request, response) => response.writeHead(307, { location: '/base/invoke' }).end()],
  ['answers no JSON', (_request, response) => response.end('<html>')],
  ['answers something else', json(200, { run_id: 'r' })],
  ['hands in what cannot be kept', json(200, { content: 'a\0b' })],
  ['hands in too much', json(200, { content: 'a'.repeat(limits.deliverableBytes + 1) })],
  ['closes early', request => request.socket.destroy()],
  ['is slow', () => undefined],
])(
  'fault 57: an agent that %s gets the job at most five times within its promise, and then the job fails',
  async (_name, answer) => {
    const bodies = await serve(answer)
    const { id, deadlines } = await hired()
    const at: number[] = []
    while (world.clock.now() < deadlines.submitBy) {
      const before = bodies.length
      await push()
      if (bodies.length > before) at.push(world.clock.now())
      world.clock.pass(1_000)
      await lapseLeases(world).runOnce()
    }
    expect(bodies).toHaveLength(limits.pushes)
    expect((at.at(-1) ?? 0) - (at[0] ?? 0)).toBeGreaterThan(30_000)
    world.clock.pass(1)
    await expireJobs(world.deps, 97).runOnce()
    expect(await world.store.job(id)).toMatchObject({ state: 'refunded', deliverable: undefined })
  },
)

test('free jobs that hang, of forty owners and of its own, delay the call of a paid job by nothing', async () => {
  const [free, fee] = [offering({ id: 'free', price: '0' }), offering({ id: 'fee', price: '0.5' })]
  const bodies = await serve(() => undefined)
  const called = (count: number) => until(`${count} calls`, async () => bodies.length >= count)
  const { endpointUrl } = z.object({ endpointUrl: z.string() }).parse(await world.store.agent(agent.id))
  await world.store.putOfferings(agent.key, [free, fee])
  const owners = [agent]
  for (const name of names(40)) {
    const it = await world.agent(name, [free])
    await world.store.updateAgent(it.key, { name, description: name, card: {}, viaGateway: false, endpointUrl })
    owners.push(it)
  }
  for (const it of owners)
    for (const at of [1, 2, 3])
      await world.hired(`${it.id}-${at}`, { agentId: it.id, offeringId: 'free', input: '{"talk":"free"}' })

  const gateway = { ...world.deps.gateway, dialer: createDialer({ allowsPrivate: true }) }
  const worker = pushJobs({ ...world.deps, gateway, onError: () => undefined })
  ends.push(() => worker.settle?.())
  await worker.runOnce()
  await worker.runOnce()
  await called(limits.freePushesAtOnce)
  world.fund(world.userWallet, 1_000_000n)
  const { id } = await world.hired('run-paid', { agentId: agent.id, offeringId: 'fee', input: '{"talk":"paid"}' })
  await world.pump()
  await worker.runOnce()
  await called(limits.freePushesAtOnce + 1)
  const jobs = bodies.map(it => asked.parse(it.body).context.job_id)
  expect([jobs.length, jobs.at(-1)]).toEqual([limits.freePushesAtOnce + 1, id])
})

/** Words that are not alike, because handles that look like those of others are refused. */
const names = (count: number) =>
  Array.from({ length: count }, (_, at) => sha256(`owner ${at}`).replace(/[0-9]/g, '').slice(0, 12))

const doubt = { id: 'wish-1', words: 'in rhyme', evidence: 'notes' }
/** Sends a deliverable back, as the butler does when a model doubts a wish. */
const sendBack = async (id: string) => {
  const criteria = [{ ...doubt, kind: 'model', outcome: 'fail' } as const]
  await world.store.addVerdict(id, { attempt: 1, pass: true, criteria })
  await world.store.moveJob(id, 'revise', { reason: 'It was wished: in rhyme.' })
}
const invoked = z.object({ context: z.json() })
const sentMessage = z.object({ params: z.object({ message: z.object({ metadata: z.json() }) }) })

test.each(['/base/invoke', '/base/a2a'])(
  'a revision request at %s says what a poll would: the number of the delivery and the faults',
  async at => {
    const task = { kind: 'task', status: { state: 'completed' }, artifacts: [{ parts: [{ kind: 'text', text: 'notes' }] }] }
    const bodies = await serve((request, response) => {
      const answer = at === '/base/a2a' ? { jsonrpc: '2.0', result: task } : { content: 'notes' }
      return request.url === at ? json(200, answer)(request, response) : response.writeHead(404).end()
    })
    const { id } = await hired()
    await push()
    await sendBack(id)
    await push()
    const read = (body: unknown) =>
      at === '/base/a2a' ? sentMessage.parse(body).params.message.metadata : invoked.parse(body).context
    const context = { run_id: 'run-1', job_id: id, chain_id: 97 }
    const told = bodies.filter(it => it.path === at).map(it => read(it.body))
    expect(told).toMatchObject([
      { ...context, attempt: 1 },
      { ...context, attempt: 2, revision: { attempt: 2, failed: [doubt] } },
    ])
    expect(told[0]).not.toHaveProperty('revision')
    expect(await world.store.job(id)).toMatchObject({ state: 'submitted', attempt: 2 })
  },
)

test('each delivery is sent up to five times, whatever the count of the one before', async () => {
  const bodies = await serve((request, response) =>
    bodies.length === limits.pushes ? json(200, { content: 'notes' })(request, response) : json(503, {})(request, response),
  )
  const { id, deadlines } = await hired()
  while (world.clock.now() < deadlines.submitBy) {
    await push()
    if ((await world.store.job(id))?.state === 'submitted') await sendBack(id)
    world.clock.pass(500)
    await lapseLeases(world).runOnce()
  }
  expect(bodies).toHaveLength(2 * limits.pushes)
  expect(await world.store.job(id)).toMatchObject({ attempt: 2, kept: { deliverable: 'notes' } })
})

test('the queue remains: a job that could not be sent goes to a polling agent, at once and under the same lease', async () => {
  await serve(json(503, {}))
  const { id } = await hired()
  await push()
  expect(await world.store.job(id)).toMatchObject({ state: 'leased', attempt: 1 })
  expect(world.deps.work.mayHave(agent.id)).toBe(true)
  expect(await world.store.leaseJob(agent.id)).toMatchObject({ id, attempt: 1 })
  expect(await world.store.leaseJob(agent.id)).toBeUndefined()
  // The poller has leased it, so it is not also pushed.
  world.clock.pass(10_000)
  expect(await world.store.pushableJobs(10)).toEqual([])
})

test('an agent served by the gateway, or without an address, is never called', async () => {
  const bodies = await serve(json(200, { content: 'notes' }), { viaGateway: true })
  await hired()
  await push()
  expect(bodies).toEqual([])
  expect(await world.store.leaseJob(agent.id)).toMatchObject({ attempt: 1 })
})

test('two processes send a job once', async () => {
  const bodies = await serve(json(200, { content: 'notes' }))
  await hired()
  await Promise.all([push(), push(), push()])
  expect(bodies).toHaveLength(1)
})

test('fault 58: where private networks are closed, an address that resolves into one is not called', async () => {
  const bodies = await serve(json(200, { content: 'notes' }))
  const { id } = await hired()
  await push({ allowsPrivate: false })
  expect(bodies).toEqual([])
  expect(await world.store.job(id)).toMatchObject({ state: 'leased' })
})

test('the pauses grow and stay within the promise, however long it is', () => {
  for (const leftMs of [60_000, 3_600_000, 30 * 24 * 3_600_000]) {
    let left = leftMs
    const pauses = Array.from({ length: limits.pushes - 1 }, (_, at) => {
      const pause = toPauseMs(left, at)
      left -= pause
      return pause
    })
    expect(left).toBeGreaterThan(0)
    expect(pauses).toEqual(pauses.toSorted((one, other) => one - other))
    expect(leftMs - left).toBeGreaterThan(leftMs / 4)
  }
})
