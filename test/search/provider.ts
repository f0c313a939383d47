import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import { createEmbeddings } from '../../src/llm/embeddings.ts'

const asked = z.object({ model: z.string(), input: z.array(z.string()) })

/** The topics of texts; each is one dimension of the vectors. */
const axes = [/clock|horolog|time/i, /summar|digest|short/i]

/** Starts an embedding server whose vectors say which of two topics a text has. */
export const startProvider = async ({ dimensions = 2 } = {}) => {
  const requests: z.infer<typeof asked>[] = []
  const behaviour = { fails: false, hangs: false, dimensions }
  const toVector = (text: string) => Array.from({ length: behaviour.dimensions }, (_, at) => (axes[at]?.test(text) ? 1 : 0.1))
  const server = createServer(async (request, response) => {
    const body = asked.parse(await json(request))
    requests.push(body)
    if (behaviour.hangs) return
    response.writeHead(behaviour.fails ? 500 : 200, { 'content-type': 'application/json' })
    const data = body.input.map((text, index) => ({ object: 'embedding', index, embedding: toVector(text) }))
    response.end(
      JSON.stringify(behaviour.fails ? { error: { message: 'scripted' } } : { object: 'list', data, model: body.model }),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return {
    requests,
    behaviour,
    embeddings: (model = 'first', timeoutMs?: number) =>
      createEmbeddings(
        { provider: 'openai-compatible', apiKey: 'key', model, baseUrl: `http://127.0.0.1:${port}/v1` },
        { ...(timeoutMs && { timeoutMs }) },
      ),
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
