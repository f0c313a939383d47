import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { openUser } from '../../service.ts'
import { round } from '../measures.ts'
import { startServiceProcess } from '../serviceProcess.ts'
import { type Case, openapi, toCases } from './requests.ts'
import { scenes } from './scenes.ts'

type Options = { only?: string | undefined; say(line: string): void }

/** Work goes on after a response, such as the run of a message. */
const settleMs = 40
/** A request above this many ms is repeated, and the shortest of its times counts: other work may have come in between. */
const suspiciousMs = 20
const repeats = 3

const meter = new URL('loopMeter.ts', import.meta.url).pathname

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  server.close()
  return port
}

/**
 * Sends each operation the most expensive requests that it may get, from a stranger and from a user with a fresh wallet, and
 * measures how long one request keeps the event loop from all others.
 */
export const benchSingle = async ({ only, say }: Options) => {
  const port = await freePort()
  const env = { METER_PORT: `${port}`, RATE_LIMIT: '100000' }
  const market = await startServiceProcess({ env, args: ['--import', meter] })
  try {
    const user = await openUser(market.url, join(market.dir, 'single.json'))
    const client = createClient({ url: market.url, meterPort: port })
    const document = openapi.parse(await (await fetch(`${market.url}/openapi.json`)).json())
    const found: { name: string; ms: number; status: number }[] = []
    const measure = async (it: Case, name: string) => {
      if (only && !name.includes(only)) return
      let { ms, status } = await client.measure(it)
      for (let again = 1; again < repeats && ms > suspiciousMs; again += 1) ms = Math.min(ms, (await client.measure(it)).ms)
      if (ms > suspiciousMs) say(`${round(ms)} ms ${status} ${name}`)
      found.push({ name, ms: round(ms), status })
    }
    const { cases, known } = await scenes({ url: market.url, token: user.token })
    const bearer = { authorization: `Bearer ${user.token}` }
    for (const it of cases) await measure(it, it.name)
    for (const it of toCases(document, known)) {
      await measure(it, `stranger ${it.name}`)
      await measure({ ...it, headers: bearer }, `user ${it.name}`)
    }
    const worst = found.toSorted((one, other) => other.ms - one.ms)
    return {
      requests: found.length,
      worst_ms: worst[0]?.ms ?? 0,
      above_50: worst.filter(it => it.ms > 50).length,
      worst: worst.slice(0, 20),
    }
  } finally {
    await market.stop()
  }
}

/** Sends each request from another address, so that no bound of an address counts. */
const createClient = ({ url, meterPort }: { url: string; meterPort: number }) => {
  const agent = new Agent({ keepAlive: true })
  let sent = 0
  const send = async ({ method, path, headers }: Case, body: Buffer | undefined): Promise<number> => {
    sent += 1
    const from = `198.18.${(sent >> 8) & 255}.${sent & 255}`
    const given = { 'content-type': 'application/json', 'x-forwarded-for': from, ...headers }
    const asked = request(`${url}${path}`, { method, agent, headers: given, timeout: 60_000 })
    asked.end(body)
    const [answer] = await once(asked, 'response')
    await text(answer)
    return answer.statusCode
  }
  const readMeter = async (): Promise<number> => Number(await (await fetch(`http://127.0.0.1:${meterPort}/`)).text())
  return {
    measure: async (it: Case): Promise<{ ms: number; status: number }> => {
      const body = typeof it.body === 'function' ? await it.body() : it.body
      await readMeter()
      const status = await send(it, body).catch(() => 0)
      await delay(it.settleMs ?? settleMs)
      return { ms: await readMeter(), status }
    },
  }
}
