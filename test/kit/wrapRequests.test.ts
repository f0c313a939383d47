import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openOpenApi } from '../../src/kit/wrap/openapi.ts'
import { openX402 } from '../../src/kit/wrap/x402.ts'

const inHeader = (name: string, required = false) => ({ name, in: 'header', required, schema: { type: 'string' } })
const answers = { '200': { description: 'Done' } }

/** An API that records the headers and the address of each request, and its document. */
const openApi = async () => {
  const asked: { headers: IncomingHttpHeaders; url: string | undefined }[] = []
  const http = createServer((request, response) => {
    asked.push({ headers: request.headers, url: request.url })
    response.setHeader('content-type', 'application/json').end('{"done":true}')
  })
  await new Promise<void>(done => http.listen(0, '127.0.0.1', done))
  const bound = http.address()
  const dir = await mkdtemp(join(tmpdir(), 'document-'))
  onTestFinished(() => void http.close())
  onTestFinished(() => rm(dir, { recursive: true }))
  const parameters = [
    ...['authorization', 'Cookie', 'X-Forwarded-For', 'Proxy-Authorization', 'X-Key', 'X-Own'].map(name => inHeader(name)),
    { name: 'session', in: 'cookie', schema: { type: 'string' } },
    { name: 'q', in: 'query', schema: { type: 'string' } },
    { name: 'key', in: 'query', schema: { type: 'string' } },
  ]
  const document = {
    openapi: '3.1.0',
    info: { title: 'Words', version: '1' },
    servers: [{ url: `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}` }],
    components: {
      securitySchemes: {
        inHeader: { type: 'apiKey', in: 'header', name: 'x-key' },
        inQuery: { type: 'apiKey', in: 'query', name: 'key' },
      },
    },
    paths: {
      '/word': { get: { operationId: 'word', parameters, responses: answers } },
      '/private': { get: { operationId: 'private', parameters: [inHeader('Authorization', true)], responses: answers } },
    },
  }
  const file = join(dir, 'openapi.json')
  await writeFile(file, JSON.stringify(document))
  return { asked, source: await openOpenApi(file, { only: [], env: {} }) }
}

test('a buyer fills no credential of an HTTP API and no header that changes how a request is read', async () => {
  const { asked, source } = await openApi()
  const [word] = source.capabilities
  expect(Object.keys(Object(word?.requirement.properties))).toEqual(['X-Own', 'q'])
  const names = ['authorization', 'Cookie', 'X-Forwarded-For', 'Proxy-Authorization', 'X-Key', 'X-Own', 'session', 'q', 'key']
  const input = Object.fromEntries(names.map(name => [name, 'buyer']))
  await source.call({ id: 'word', input, text: '', signal: AbortSignal.timeout(10_000) })
  expect(asked[0]?.url).toBe('/word?q=buyer')
  const filled = Object.entries(asked[0]?.headers ?? {}).filter(([, value]) => value === 'buyer')
  expect(filled.map(([name]) => name)).toEqual(['x-own'])
  const reason = "it needs Authorization, which is the owner's to send: declare it as a security scheme"
  expect(source.leftOut).toEqual([{ id: 'private', reason }])
})

test('a buyer adds query parameters to a paid resource, and replaces none of its address', async () => {
  const bought: string[] = []
  const source = await openX402({
    ...{ url: 'https://seller.example/weather?apikey=OWNER&unit=C', isGet: true, name: 'weather', description: 'weather' },
    ...{ requirement: {}, deliverable: {} },
    buyer: {
      quote: async () => ({ price: '0.01', description: '' }),
      buy: async ({ url }) => {
        bought.push(url)
        return { status: 200, content: 'sunny', isWhole: true, reason: '' }
      },
    },
  })
  const job = { id: 'job_1', price: 1 }
  const ask = (input: Record<string, string>) =>
    source.call({ id: 'weather', input, text: '', signal: AbortSignal.timeout(10_000), job: { ...job, offeringId: 'weather' } })
  expect(await ask({ city: 'Oslo' })).toBe('sunny')
  expect(bought).toEqual(['https://seller.example/weather?apikey=OWNER&unit=C&city=Oslo'])
  for (const name of ['apikey', 'APIKEY', 'apikey[]', 'api_key', ' unit', 'unit\u0000'])
    await expect(ask({ [name]: 'mine' })).rejects.toThrow('itself')
  expect(bought).toHaveLength(1)
})
