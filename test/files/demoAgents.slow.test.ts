import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invokeOutput } from '../../src/operations/messages/invoke.ts'
import type { TestService } from '../service.ts'
import { openMarket } from '../web/market.ts'
import { toPdf } from './pdf.ts'
import { getFile, upload } from './wire.ts'

let market: TestService
beforeAll(async () => {
  market = await openMarket({}, ['demo-pictures', 'demo-tables', 'demo-pdf', 'demo-words', 'text-digest', 'demo-charts'])
})
afterAll(() => market?.stop())

const pdf = { name: 'report.pdf', bytes: toPdf(['Hello first page', 'Two words']) }
const csv = { name: 'sales.csv', bytes: Buffer.from('month;sales\nJan;"1,200"\n;\nJan;"1,200"\nFeb;900\n') }
const photo = async () => ({
  name: 'photo.jpg',
  bytes: await sharp({ create: { width: 600, height: 300, channels: 3, background: '#c06020' } })
    .jpeg()
    .toBuffer(),
})

/** Hires for a file in words, and returns what was delivered and its files. */
const work = async (message: string, file: { name: string; bytes: Uint8Array }) => {
  const { client, token } = await market.user('ada')
  const at = { url: market.url, token }
  const { file_id } = await upload(at, file)
  const conversation_id = randomUUID()
  const say = async (body: object) => invokeOutput.parse(await client.post('/invoke', { conversation_id, ...body }))
  const asked = await say({ message, files: [file_id] })
  if (!asked.data.proposal) throw new Error(asked.content)
  const { data, content } = await say({ message: 'yes' })
  if (data.job?.state !== 'settled') throw new Error(content)
  const fields = JSON.parse(data.job.deliverable)
  const read = async (id: string) => Buffer.from(await (await getFile(at, id)).arrayBuffer())
  return { fields, read, offering: 'offeringName' in asked.data.proposal ? asked.data.proposal.offeringName : '' }
}

test('a photo becomes smaller', async () => {
  const { fields, read } = await work('Make this picture smaller, 120 pixels', await photo())
  expect(await sharp(await read(fields.picture)).metadata()).toMatchObject({ format: 'jpeg', width: 120, height: 60 })
  expect(fields.size).toBe('120 × 60 pixels, before 600 × 300')
})

test('a table becomes clean and is drawn', async () => {
  const { fields, read } = await work('Clean this table', csv)
  expect((await read(fields.table)).toString()).toBe('month,sales\r\nJan,1200\r\nFeb,900\r\n')
  expect(fields).toMatchObject({ rows: 2, removed: '1 empty and 1 repeated rows', chart: expect.stringMatching(/^<svg/) })
})

test('the text of a PDF is taken out, and its words are counted by page', async () => {
  const { fields, read } = await work('Extract the text of this PDF', pdf)
  expect((await read(fields.text)).toString()).toBe('Page 1\n\nHello first page\n\nPage 2\n\nTwo words\n')
  expect((await work('Count the words of this document by page', pdf)).fields).toMatchObject({
    words: 5,
    pages: [
      { page: 1, words: 3 },
      { page: 2, words: 2 },
    ],
  })
})

test('a file that an agent cannot read ends with its reason', async () => {
  const broken = { name: 'broken.pdf', bytes: Buffer.from('%PDF-1.4\nnothing') }
  await expect(work('Extract the text of this PDF', broken)).rejects.toThrow('This is no PDF that I can read.')
})

test.each([
  ['shrink this', 'Smaller picture', photo],
  ['resize the photo to 200 px', 'Smaller picture', photo],
  ['please tidy this up', 'Clean a CSV table', async () => csv],
  ['how many words are in here?', 'Words by page', async () => pdf],
  ['what does it say', 'Text of a PDF', async () => pdf],
])('“%s” with a file finds %s', async (message, offering, file) => {
  expect((await work(message, await file())).offering).toBe(offering)
})
