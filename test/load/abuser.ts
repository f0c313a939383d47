// An attacker in a process of its own priority. It reads the attack as JSON from standard input. It reports on standard error when
// the attack begins and when it has its full size. After SIGTERM it prints one JSON object.
import { createServer, type RequestListener } from 'node:http'
import { setPriority } from 'node:os'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { type AttackName, attackNames } from './attacks.ts'
import { atDoors } from './doors.ts'
import { floodsOf } from './floods.ts'
import { crowd } from './measures.ts'
import { createSender } from './sender.ts'

const given = z
  .object({ name: z.enum(attackNames), url: z.string(), tokens: z.array(z.string()), nice: z.number() })
  .parse(await json(process.stdin))

setPriority(given.nice)

const kb = 1_000
const big = 'x'.repeat(900 * kb)

/** The number of requests after which an attack has its full size. */
const sizes: Record<AttackName, number> = {
  postings: 500,
  cards: 50,
  messages: 1_000,
  push: 180,
  streams: 500,
  lists: 40,
  relay: 100,
  registrations: 100,
  schema: 16,
  'four-addresses': 100,
  prefixes: 100,
  polls: 1_500,
  oauth: 200,
}

const sender = createSender({ ...given, fullSize: sizes[given.name] })
const { send, goOn, tokenOf, isOver, ending, figures } = sender

/** Starts a server to which agents can be registered as endpoints. */
const listen = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  ending.signal.addEventListener('abort', () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`
}

const register = (handle: string, more: object, token = tokenOf(0)) =>
  send('/agents/register', { body: { handle, name: handle, chain_id: 97, ...more }, token })

const offering = { id: 'plain', name: 'Wait for ever', description: 'Never answers.', price_v2: { type: 'fixed', amount: 0 } }
const invoked = z.object({ run_id: z.string() })

const hireHanging = async (at: number) => {
  const token = tokenOf(at)
  const conversation_id = `push-${at}`
  const say = (message: string) => send('/invoke', { token, body: { message, conversation_id, wait_ms: 5_000 } })
  await say('Hire agent hanging to wait')
  await send('/invoke', { token, body: { message: 'yes', conversation_id, wait_ms: 0 } })
}

const openStream = async (at: number) => {
  const token = tokenOf(at)
  const run = invoked.safeParse(JSON.parse((await send('/invoke', { token, body: { message: 'Hello', wait_ms: 0 } })) || '{}'))
  // A stream of a run that waits for its user ends at once. The client then opens it again.
  if (run.success) await send(`/runs/${run.data.run_id}/events`, { token, accept: 'text/event-stream' })
  await delay(100)
}

const lists = [
  '/agents?include_health=true&pageSize=500',
  '/tasks?limit=500',
  '/services?limit=500',
  '/rankings?limit=500',
  '/offerings/search?query=time',
  '/stats/summary',
  '/gateway/agents',
  '/pricing/agents',
]
const readLists = (at: number) => send(lists[at % lists.length] ?? '/agents')

const relayed = (text: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'message/send',
  params: { message: { role: 'user', parts: [{ kind: 'text', text }] } },
})

/** The preparation of each attack, and the attack itself. */
const attacks: Record<AttackName, { prepare?: () => Promise<unknown>; run: () => Promise<unknown> }> = {
  postings: {
    run: async () => {
      const post = (at: number) =>
        send('/v1/jobs', { body: { client_id: `somebody-${at}`, description: 'Work', metadata: { big } } })
      await Promise.all([
        crowd({ count: 500, atOnce: 16 }, async at => void (isOver() || (await post(at)))),
        goOn(16, () => send('/tasks?limit=1')),
      ])
    },
  },
  cards: {
    prepare: () =>
      crowd({ count: 50, atOnce: 4 }, async at => {
        await register(`card-${at}`, { card: { name: 'Card', description: 'Card', big } }, tokenOf(at))
      }),
    run: () => goOn(16, () => send('/agents')),
  },
  messages: {
    run: () => goOn(1_000, at => send('/invoke', { body: { message: `Write a haiku about day ${at}`, wait_ms: 0 } })),
  },
  push: {
    prepare: async () => {
      const endpoint_url = await listen(request => void request.resume())
      await register('hanging', { endpoint_url, job_offerings: [{ ...offering, sla_minutes: 60 }] })
      await crowd({ count: 90, atOnce: 8 }, hireHanging)
    },
    run: () => goOn(2, hireHanging),
  },
  streams: { run: () => goOn(500, openStream) },
  lists: { run: () => goOn(40, readLists) },
  relay: {
    prepare: async () => {
      const answer = JSON.stringify({ success: true, content: 'Heard.' })
      const endpoint_url = await listen((request, response) => {
        request.resume()
        setTimeout(() => response.end(answer), 1_000)
      })
      await register('relayed', { endpoint_url, job_offerings: [offering] })
    },
    run: () => goOn(100, () => send('/gateway/a2a/relayed', { body: relayed('x'.repeat(1_000 * kb)) })),
  },
  ...floodsOf(sender),
  oauth: {
    run: async () => {
      const doors = atDoors(sender, await listen(request => void request.resume()))
      await goOn(32, at => doors[at % doors.length]?.(`198.18.0.${at % 4}`) ?? delay(1))
    },
  },
  registrations: { run: () => goOn(16, at => register(`many-${at}`, { job_offerings: [offering] })) },
}

const attack = attacks[given.name]
await attack.prepare?.()
process.stderr.write('attacking\n')
const started = performance.now()
const before = figures.sent
await attack.run()
if (!isOver()) await new Promise(done => ending.signal.addEventListener('abort', done))
const per_s = Math.round((1_000 * (figures.sent - before)) / (performance.now() - started))
process.stdout.write(JSON.stringify({ ...figures, per_s }), () => process.exit(0))
