// The clients of the gateway benchmark in a separate process: many HTTP/1.1 sockets that measure response times. It reads its
// work as JSON from standard input and prints one JSON object.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { percentile } from './measures.ts'

const work = z.discriminatedUnion('kind', [
  /** As many requests as possible, sequentially on each socket. */
  z.object({ kind: z.literal('flood'), port: z.number(), paths: z.array(z.string()), sockets: z.number(), ms: z.number() }),
  /** Each socket sends one request per `everyMs`, evenly distributed. What comes in the first `warmUpMs` is not counted. */
  z.object({
    kind: z.literal('paced'),
    port: z.number(),
    paths: z.array(z.string()),
    everyMs: z.number(),
    warmUpMs: z.number(),
    ms: z.number(),
  }),
  /** Each socket sends one request and reports when the response, or each event of a stream, arrived. */
  z.object({
    kind: z.literal('listen'),
    port: z.number(),
    asks: z.array(z.object({ path: z.string(), token: z.string().default('') })),
    pattern: z.string(),
    ms: z.number(),
    /** Whether every socket is answered at once. Then the time begins when all have been. */
    streams: z.boolean(),
  }),
])

const given = work.parse(await json(process.stdin))

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })

const toRequest = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers}\r\n`

/** Sends one request on a socket. Resolves with the ms until the end of the response. */
const ask = (socket: Socket, request: string): Promise<number> =>
  new Promise(resolve => {
    const started = performance.now()
    let said = ''
    const listen = (chunk: Buffer) => {
      said += chunk
      const end = said.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(said)?.[1] ?? Number.NaN)
      if (end < 0 || said.length < end + 4 + length) return
      socket.off('data', listen)
      resolve(performance.now() - started)
    }
    socket.on('data', listen)
    socket.write(request)
  })

const openMany = async (port: number, count: number): Promise<Socket[]> => {
  const sockets: Socket[] = []
  for (let at = 0; at < count; at += 200)
    sockets.push(...(await Promise.all(Array.from({ length: Math.min(200, count - at) }, () => open(port)))))
  return sockets
}

const flood = async ({ port, paths, sockets, ms }: Extract<typeof given, { kind: 'flood' }>) => {
  const requests = paths.map(it => toRequest(it))
  const endsAt = performance.now() + ms
  let count = 0
  await Promise.all(
    (await openMany(port, sockets)).map(async socket => {
      while (performance.now() < endsAt) {
        await ask(socket, requests[count % requests.length] ?? '')
        count += 1
      }
      socket.destroy()
    }),
  )
  return { perSecond: (1_000 * count) / ms }
}

const paced = async ({ port, paths, everyMs, warmUpMs, ms }: Extract<typeof given, { kind: 'paced' }>) => {
  const sockets = await openMany(port, paths.length)
  const warmUntil = performance.now() + warmUpMs
  const endsAt = warmUntil + ms
  const latencies: number[] = []
  const bySecond = new Map<number, number[]>()
  await Promise.all(
    sockets.map(async (socket, at) => {
      await delay((everyMs * at) / sockets.length)
      for (let next = performance.now(); next < endsAt; next += everyMs) {
        await delay(Math.max(0, next - performance.now()))
        const ms = await ask(socket, toRequest(paths[at] ?? '/'))
        if (next < warmUntil) continue
        latencies.push(ms)
        const second = Math.floor(next / 1_000)
        const inSecond = bySecond.get(second) ?? []
        inSecond.push(ms)
        bySecond.set(second, inSecond)
      }
      socket.destroy()
    }),
  )
  const worst = [...bySecond.values()].toSorted((one, other) => percentile(other, 0.99) - percentile(one, 0.99))
  return { latencies, worstSecond: worst[0] ?? [] }
}

/** Reports each time at which the pattern matched, by its first group, in ms of the service's clock. */
const listen = async ({ port, asks, pattern, ms, streams }: Extract<typeof given, { kind: 'listen' }>) => {
  const heard: [string, number][] = []
  const begun: Promise<unknown>[] = []
  const sockets = await openMany(port, asks.length)
  for (const [at, socket] of sockets.entries()) {
    const { path, token } = asks[at] ?? { path: '/', token: '' }
    socket.on('data', chunk => {
      const now = performance.timeOrigin + performance.now()
      for (const [, name = ''] of String(chunk).matchAll(new RegExp(pattern, 'g'))) heard.push([name, now])
    })
    begun.push(once(socket, 'data'))
    socket.write(toRequest(path, `accept: text/event-stream\r\n${token && `authorization: Bearer ${token}\r\n`}`))
  }
  if (streams) await Promise.all(begun)
  process.stderr.write('listening\n')
  const lag = monitorEventLoopDelay({ resolution: 1 })
  lag.enable()
  await delay(ms)
  for (const socket of sockets) socket.destroy()
  return { heard, lagP99Ms: lag.percentile(99) / 1e6 }
}

const result = given.kind === 'flood' ? await flood(given) : given.kind === 'paced' ? await paced(given) : await listen(given)
process.stdout.write(JSON.stringify(result))
