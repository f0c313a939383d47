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

/** A JSON-RPC proxy in front of a node. The first manipulation that matches a request handles it. */
export const startRpcProxy = async (nodeUrl: string) => {
  let meddlings: (Meddling & { met: () => void })[] = []

  const forward: Forward = async ({ method, params }) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(nodeUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return answer.parse(await response.json())
  }
  const meddle = (asked: Question): Promise<Reply> => {
    const found = meddlings.find(it => it.times > 0 && it.touches(asked))
    if (!found) return forward(asked)
    found.times -= 1
    found.met()
    return found.reply(asked, forward)
  }
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { id, ...asked } = question.parse(JSON.parse(await text(request)))
    const reply = await meddle(asked)
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
