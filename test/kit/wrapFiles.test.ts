import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openCommand } from '../../src/kit/wrap/command.ts'
import { openMcp } from '../../src/kit/wrap/mcp.ts'
import { openOpenApi } from '../../src/kit/wrap/openapi.ts'
import { toPriceList } from '../../src/kit/wrap/priceList.ts'
import type { Source } from '../../src/kit/wrap/source.ts'
import { wrap } from '../../src/kit/wrap/wrap.ts'
import { getFile, png, upload } from '../files/wire.ts'
import { rested, talk } from '../hire/market.ts'
import { startTestService, type TestService, type User } from '../service.ts'

let market: TestService
let ada: User
beforeAll(async () => {
  market = await startTestService()
  ada = await market.user('ada')
})
afterAll(() => market?.stop())

const env = { PATH: process.env.PATH ?? '' }
const table = Buffer.from('name,age\nAda,36\nBob,41\nCyd,29\n')
const sell = async (source: Source, handle: string) => {
  onTestFinished(source.close)
  await market.agent(wrap(source, toPriceList(source, { handle, price: '0.02' })))
}

/** Hires an agent with a file; returns the deliverable, and its files with their bytes. */
const hire = async (words: string, file?: { bytes: Uint8Array; name: string }) => {
  const at = { url: market.url, token: ada.token }
  const ids = file ? [(await upload(at, file)).file_id] : []
  const { conversationId, say } = talk(ada)
  await ada.client.post('/invoke', { message: words, files: ids, context: { conversation_id: conversationId } })
  const { run_id } = await say('yes', 0)
  const { verdict, job, content } = await rested(ada, run_id)
  if (job?.state !== 'settled') throw new Error(`${job?.state}: ${content} ${job?.reason}`)
  const files = (verdict?.files ?? []).map(async it => ({
    ...it,
    content: Buffer.from(await (await getFile(at, it.file_id)).arrayBuffer()),
  }))
  return { deliverable: JSON.parse(job?.deliverable || '{}'), files: await Promise.all(files) }
}

test('a program gets the path of a file, and what it leaves in its output folder is delivered', async () => {
  const command = ['split', '--lines=2', '--additional-suffix=.csv', '{table}', '{output_folder}/part-']
  await sell(
    openCommand({ command, name: 'Split a table', description: 'Splits a table into parts', files: ['table'], env }),
    'splitter',
  )
  const { deliverable, files } = await hire('Hire splitter to split this table', { bytes: table, name: 'people.csv' })
  expect(deliverable.files).toHaveLength(2)
  expect(files.map(it => [it.member, it.name, it.content.toString()])).toEqual([
    ['files', 'part-aa.csv', 'name,age\nAda,36\n'],
    ['files', 'part-ab.csv', 'Bob,41\nCyd,29\n'],
  ])
})

test('a program reads a file from its standard input and prints one, byte by byte', async () => {
  const zipped = { type: 'string', format: 'file', contentMediaType: 'application/gzip' }
  const deliverable = { type: 'object', required: ['archive'], properties: { archive: zipped } }
  const of = { name: 'Compress a file', description: 'Compresses a file with gzip', files: ['file'], stdin: 'file', deliverable }
  await sell(openCommand({ ...of, command: ['gzip', '-c'], env }), 'gzipper')
  const [file] = (await hire('Hire gzipper to compress this file', { bytes: png, name: 'logo.png' })).files
  expect(file).toMatchObject({ name: 'Compress a file.gzip', media_type: 'application/gzip' })
  expect(gunzipSync(file?.content ?? '').equals(png)).toBe(true)
})

test('the pictures of an MCP tool are delivered as files', async () => {
  const program = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js')
  const files = { members: [], tools: ['get-tiny-image'] }
  await sell(await openMcp({ command: [process.execPath, program, 'stdio'], env }, ['get-tiny-image'], files), 'tiny-pictures')
  const { deliverable, files: given } = await hire('Hire tiny-pictures to get a tiny image')
  expect(deliverable.text).toContain('MCP')
  expect(given.map(it => it.media_type)).toEqual(['image/png'])
})

/** Starts an API, and writes its document. @returns the file of the document */
const writeDocument = async (http: Server, paths: object): Promise<string> => {
  await new Promise<void>(done => http.listen(0, '127.0.0.1', done))
  const bound = http.address()
  const dir = await mkdtemp(join(tmpdir(), 'document-'))
  onTestFinished(() => void http.close())
  onTestFinished(() => rm(dir, { recursive: true }))
  const servers = [{ url: `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}` }]
  const file = join(dir, 'openapi.json')
  await writeFile(file, JSON.stringify({ openapi: '3.0.3', info: { title: 'Corners', version: '1' }, servers, paths }))
  return file
}

test('an API takes a file as a form or as its body, and its picture is delivered as a file', async () => {
  const asked: { type: string | undefined; body: string }[] = []
  const http = createServer(async (request, response) => {
    asked.push({ type: request.headers['content-type'], body: await text(request.setEncoding('latin1')) })
    response.setHeader('content-type', 'image/png').setHeader('content-disposition', 'attachment; filename="round.png"').end(png)
  })
  const picture = { '200': { description: 'Done', content: { 'image/png': {} } } }
  const binary = { type: 'string', format: 'binary' }
  const form = { type: 'object', required: ['photo'], properties: { photo: binary, side: { type: 'integer' } } }
  const source = await openOpenApi(
    await writeDocument(http, {
      '/round': {
        post: {
          ...{ operationId: 'round', summary: 'Round the corners of a photo', responses: picture },
          requestBody: { content: { 'multipart/form-data': { schema: form } } },
        },
      },
      '/turn': {
        post: {
          ...{ operationId: 'turn', summary: 'Turn a picture upside down', responses: picture },
          requestBody: { content: { 'image/png': {} } },
        },
      },
    }),
    { only: [], env: {} },
  )
  await sell(source, 'corners')
  const sent = { bytes: png, name: 'face.png' }
  const rounded = await hire('Hire corners to round the corners of this photo, side 40', sent)
  expect(rounded.files).toMatchObject([{ member: 'file', name: 'round.png', media_type: 'image/png' }])
  expect(asked[0]?.type).toMatch(/^multipart\/form-data/)
  expect(asked[0]?.body).toContain('name="photo"; filename="face.png"')
  expect(asked[0]?.body).toContain(png.toString('latin1'))
  await hire('Hire corners to turn this picture upside down', sent)
  expect(asked[1]).toEqual({ type: 'image/png', body: png.toString('latin1') })
})

test('a path that a buyer sends is no file of the job', async () => {
  const source = openCommand({ command: ['cat', '{file}'], name: 'cat', description: 'Prints a file', files: ['file'], env })
  onTestFinished(source.close)
  const { handler } = wrap(source, toPriceList(source, { handle: 'cat', price: '0.02' }))
  const work = { text: '{"file":"/etc/passwd"}', fields: { file: '/etc/passwd' }, signal: AbortSignal.timeout(5_000) }
  const never = (): never => {
    throw new Error('not asked')
  }
  const asked = { ...work, read: never, fail: never, used: never, upload: async () => never(), progress: async () => undefined }
  await expect((async () => handler(asked))()).rejects.toThrow(/did not come/)
})
