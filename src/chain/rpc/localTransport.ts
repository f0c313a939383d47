import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { custom, HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import { z } from 'zod'

const answer = z.object({
  id: z.number(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
})
const answers = z.array(answer)

type Question = { method: string; params?: unknown }
type Asked = Question & { resolve(result: unknown): void; reject(error: unknown): void }
type Options = {
  /** `http://…` */
  url: string
  timeoutMs: number
  retryCount: number
  ready?: (() => Promise<void>) | undefined
}

/**
 * A viem transport to a node on this machine. It reuses connections, and needs less than half the processor time of viem's own
 * transport, which uses `fetch`. Requests made in one turn of the event loop are sent as one batch. The node must support
 * batches.
 */
export const localTransport = ({ retryCount, ...options }: Options) => {
  const agent = new Agent({ keepAlive: true })
  let waiting: Asked[] = []
  const send = async () => {
    const batch = waiting
    waiting = []
    try {
      const found = await exchange({ ...options, agent }, batch)
      for (const [id, asked] of batch.entries()) settle(asked, found.get(id), options.url)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
  const ask = (question: Question): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(send)
      waiting.push({ ...question, resolve, reject })
    })
  return custom({ request: ask }, { retryCount, key: 'local', name: 'Local JSON-RPC' })
}

type Answer = z.infer<typeof answer>

const settle = ({ method, params, resolve, reject }: Asked, found: Answer | undefined, url: string): void => {
  if (!found) reject(new HttpRequestError({ url, body: { method, params }, details: 'The node left out an answer.' }))
  else if (found.error) reject(new RpcRequestError({ url, body: { method, params }, error: found.error }))
  else resolve(found.result)
}

type Exchange = Omit<Options, 'retryCount'> & { agent: Agent }

/** Sends requests as one batch. Returns the answers by the place of their request. */
const exchange = async ({ url, timeoutMs, ready, agent }: Exchange, batch: Asked[]): Promise<Map<number, Answer>> => {
  await ready?.()
  const calls = batch.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))
  const [one] = calls
  const body = JSON.stringify(calls.length === 1 ? one : calls)
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const { status, said } = await post({ url, agent, signal }, body)
    const read: unknown = JSON.parse(said)
    const found = answers.safeParse(calls.length === 1 ? [read] : read)
    if (!found.success) throw new HttpRequestError({ url, status, body: calls, details: said })
    return new Map(found.data.map(it => [it.id, it]))
  } catch (error) {
    if (error instanceof HttpRequestError) throw error
    if (signal.aborted) throw new TimeoutError({ url, body: calls })
    throw new HttpRequestError({ url, body: calls, ...(error instanceof Error && { cause: error }) })
  }
}

type Post = { url: string; agent: Agent; signal: AbortSignal }

const post = async ({ url, ...options }: Post, body: string): Promise<{ status: number; said: string }> => {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
  const answered = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { ...options, method: 'POST', headers }, resolve)
      .on('error', reject)
      .end(body)
  })
  return { status: answered.statusCode ?? 0, said: await text(answered) }
}
