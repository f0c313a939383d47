import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Sender } from './sender.ts'

type Flood = { prepare?: () => Promise<unknown>; run: () => Promise<unknown> }

/** An address in the documentation range, different for each number below 65,536. */
const addressOf = (at: number) => `198.18.${(at >> 8) & 255}.${at & 255}`
/** An address whose /64 is new for each number, and whose /48 is always the same. */
const prefixOf = (at: number) => `2001:db8:77:${(at & 65_535).toString(16)}::1`

const words = Array.from({ length: 220 }, (_, at) => `word${at}`).join(' ')
const manyKeys = JSON.stringify(Object.fromEntries(Array.from({ length: 90_000 }, (_, at) => [`k${at}`, 1])))
const nested = `{"handle":"nested","nested":${'['.repeat(400_000)}${']'.repeat(400_000)}}`
const rpc = { jsonrpc: '2.0', id: 1 }
const message = (text: string) => ({ role: 'user', messageId: 'm', parts: [{ kind: 'text', text }] })

/** Expensive requests that need no credential. */
const costly = ({ send }: Sender) => [
  (from: string) => send('/openapi.json', { from }),
  (from: string) => send(`/offerings/search?query=${encodeURIComponent(words)}`, { from }),
  (from: string) =>
    send('/mcp', { from, accept: 'application/json, text/event-stream', body: { ...rpc, method: 'tools/list', params: {} } }),
  (from: string) => send('/v1/jobs', { from, text: manyKeys }),
  (from: string) => send('/agents/register', { from, text: nested }),
  (from: string) => send('/invoke', { from, body: { message: `Write a haiku about ${words}`, wait_ms: 0 } }),
  (from: string) => send('/v1/init', { from, body: true }),
  (from: string) => send('/a2a', { from, body: { ...rpc, method: 'message/send', params: { message: message(words) } } }),
]

/** Costly requests of all kinds in turn, 32 at once, each from the address that its number names. */
const flood = (sender: Sender, from: (at: number) => string): Flood => {
  const kinds = costly(sender)
  return { run: () => sender.goOn(32, at => kinds[Math.floor(at / 4) % kinds.length]?.(from(at)) ?? delay(1)) }
}

const branch = { anyOf: [...Array.from({ length: 63 }, (_, at) => ({ enum: [`x${at}`] })), { type: 'number' }] }
const costlySchema = { type: 'object', properties: { a: { type: 'array', items: { allOf: [branch, branch, branch] } } } }
const zeros = (count: number) => JSON.stringify({ a: Array.from({ length: count }, () => 0) })
const polled = z.object({ job_id: z.string() })

/** Deliverables and paid calls whose check by the schema of their offering takes long. */
const schemas = ({ send, goOn, tokenOf }: Sender): Flood => {
  const offering = { id: 'o1', name: 'Check', price_v2: { type: 'fixed', amount: 0.01 } }
  const deliver = async (at: number) => {
    const [from, token] = [addressOf(at), tokenOf(at)]
    const handle = `checked-${at % 4}`
    await send(`/agents/${handle}/tests`, { from, token, body: { offering_id: 'o1', input: { text: 'x' } } })
    const job = polled.safeParse(parse(await send(`/gateway/jobs/poll?agent=${handle}`, { from, token })))
    if (!job.success) return delay(100)
    const body = { job_id: job.data.job_id, agent_id: handle, deliverable: zeros(130_001) }
    return send('/gateway/jobs/complete', { from, token, body })
  }
  const pay = (at: number) => send('/x402/agents/checked-0/offerings/o1', { from: addressOf(at), text: zeros(10_001) })
  return {
    prepare: async () => {
      for (const at of [0, 1, 2, 3]) {
        const job_offerings = [{ ...offering, requirement: at === 0 ? costlySchema : {}, deliverable: costlySchema }]
        const body = { handle: `checked-${at}`, name: `checked-${at}`, chain_id: 97, via_gateway: true, job_offerings }
        await send('/agents/register', { token: tokenOf(at), from: addressOf(at), body })
      }
    },
    run: () => goOn(4, at => (at % 4 === 0 ? pay(at) : deliver(at))),
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Attacks on the event loop and on the bounds of addresses. */
export const floodsOf = (sender: Sender) => ({
  schema: schemas(sender),
  'four-addresses': flood(sender, at => addressOf(at % 4)),
  prefixes: flood(sender, prefixOf),
  polls: { run: () => sender.goOn(1_500, () => sender.send('/gateway/jobs/poll?agent=bench-poet&timeout=25')) },
})
