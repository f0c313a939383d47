import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

const question = z.object({ id: z.unknown(), method: z.string(), params: z.array(z.unknown()).default([]) })
export type Question = { method: string; params: unknown[] }
const answer = z.object({ result: z.unknown().optional(), error: z.object({ code: z.number(), message: z.string() }).optional() })
export type Answer = z.infer<typeof answer>
/** A response: an RPC result, an HTTP status with a text, or a closed connection. */
export type Reply = Answer | { status: number; words: string } | 'cut'
export type Forward = (question: Question) => Promise<Answer>

/** A manipulation of requests, applied a number of times. */
export type Meddling = {
  times: number
  touches(question: Question): boolean
  reply(question: Question, forward: Forward): Promise<Reply>
}

/**
 * A JSON-RPC proxy in front of a node. The first manipulation that matches a request handles it.
 * @param traits manipulations that are never cleared and come last
 */
export const startRpcProxy = async (nodeUrl: string, traits: readonly Meddling[] = []) => {
  let meddlings: (Meddling & { met?: () => void })[] = []
  const asked = new Map<string, number>()

  const forward: Forward = async ({ method, params }) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(nodeUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return answer.parse(await response.json())
  }
  const meddle = (of: Question): Promise<Reply> => {
    const found = [...meddlings, ...traits].find(it => it.times > 0 && it.touches(of))
    if (!found) return forward(of)
    found.times -= 1
    meddlings.find(it => it === found)?.met?.()
    return found.reply(of, forward)
  }
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { id, ...of } = question.parse(JSON.parse(await text(request)))
    asked.set(of.method, (asked.get(of.method) ?? 0) + 1)
    const reply = await meddle(of)
    if (reply === 'cut') return request.socket.destroy()
    if ('status' in reply) return response.writeHead(reply.status).end(reply.words)
    return response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }))
  }
  // The caller or the node has disconnected, so nobody needs this response.
  const server = createServer((request, response) => void serve(request, response).catch(() => request.socket.destroy()))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    /** How often each method was requested. */
    asked: (): ReadonlyMap<string, number> => new Map(asked),
    /** Adds a manipulation. Resolves when it has handled its first request. */
    add: (meddling: Meddling) => new Promise<void>(met => meddlings.push({ ...meddling, met })),
    clear() {
      meddlings = []
    },
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
