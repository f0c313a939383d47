import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isHire } from '../../src/domain/x402/purchaseProposal.ts'
import { type InvokeOutput, invokeOutput } from '../../src/operations/messages/invoke.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { toPdf } from './pdf.ts'
import { png, upload } from './wire.ts'

let market: TestService
const file = (contentMediaType: string) => ({ type: 'string', format: 'file', contentMediaType })
const offering = (id: string, name: string, properties: Record<string, object>, description: string) => ({
  id,
  name,
  description,
  price: '0.05',
  jobInput: '',
  jobOutput: '',
  requirement: JSON.parse(JSON.stringify({ type: 'object', required: [Object.keys(properties)[0]], properties })),
  deliverable: {},
})

beforeAll(async () => {
  market = await startTestService()
  const side = { type: 'integer', description: 'The longest side in pixels' }
  await market.agent({
    handle: 'frames',
    offerings: [
      offering('smaller', 'Smaller picture', { picture: file('image/*'), side }, 'Makes a picture smaller: a photo or a logo'),
      offering('sketch', 'Pencil sketch', { words: { type: 'string' } }, 'Draws a smaller picture of what your words say'),
    ],
    handler: () => 'done',
  })
  await market.agent({
    handle: 'pages',
    offerings: [
      offering('text', 'Text of a PDF', { document: file('application/pdf') }, 'Takes the text out of a PDF document'),
      offering(
        'merge',
        'Compare two PDFs',
        { before: file('application/pdf'), after: file('application/pdf') },
        'Compares two PDF documents',
      ),
    ],
    handler: () => 'done',
  })
  await market.agent({
    handle: 'tables',
    offerings: [
      offering('clean', 'Clean a table', { table: file('text/csv') }, 'Removes empty rows from a table'),
      offering(
        'chart',
        'Bar chart',
        { csv: { type: 'string', description: 'The table as CSV' } },
        'Draws a bar chart of numbers',
      ),
    ],
    handler: () => 'done',
  })
})
afterAll(() => market?.stop())

const send = (user: User, name: string, bytes: Uint8Array = png, type = 'image/png') =>
  upload({ url: market.url, token: user.token }, { bytes, type, name })
const sendPdf = (user: User, name: string) => send(user, name, toPdf([name]), 'application/pdf')

/** Sends messages of one conversation that name files. */
const talkOf = ({ client }: User) => {
  const conversation_id = randomUUID()
  return async (message: string, ...files: { file_id: string }[]) =>
    invokeOutput.parse(await client.post('/invoke', { message, conversation_id, files: files.map(it => it.file_id) }))
}
const inputOf = ({ data }: InvokeOutput) => JSON.parse((isHire(data.proposal) && data.proposal.input) || '{}')

test('a task with a file is proposed with the file in its place, and with the values of its words', async () => {
  const ada = await market.user('ada')
  const logo = await send(ada, 'logo.png')
  const asked = await talkOf(ada)('Make this picture smaller, 64 pixels', logo)
  expect(inputOf(asked)).toEqual({ picture: logo.file_id, side: 64 })
  expect(asked.data.proposal).toMatchObject({ offeringName: 'Smaller picture', left_out: [] })
})

test('a file of somebody else is as unknown as one that never was', async () => {
  const [ada, eve] = [await market.user('ada'), await market.user('eve')]
  const logo = await send(ada, 'secret.png')
  const say = talkOf(eve)
  const never = { file_id: `file_${'0'.repeat(32)}` }
  for (const it of [logo, never])
    await expect(say('Make this smaller', it)).rejects.toMatchObject({ status: 404, message: 'No such file.' })
  await expect(say(`Make [this](${logo.file_id}) smaller`)).rejects.toMatchObject({ status: 404 })
})

test('where nobody takes such a file, the answer says so and names what they take', async () => {
  const ada = await market.user('ada')
  const song = await send(ada, 'song.wav', Buffer.from('RIFF\x24\0\0\0WAVEfmt '), 'audio/wav')
  const { content, data } = await talkOf(ada)('Make this picture smaller', song)
  expect(data.proposal).toBeUndefined()
  expect(content).toMatch(/takes “[^”]+”, a recording.*“Smaller picture” by frames\S* takes a picture/)
})

test('a picture with words for a PDF is no task for who takes pictures: the answer says what the fitting one takes', async () => {
  const ada = await market.user('ada')
  const { content, data } = await talkOf(ada)('Extract the text of this PDF', await send(ada, 'logo.png'))
  expect(data.proposal).toBeUndefined()
  expect(content).toMatch(/takes “logo\.png”, a picture.*“Text of a PDF” by \S+ takes a PDF/)
})

test('words with a file are a task, and no question about a job that never was', async () => {
  const ada = await market.user('ada')
  const photos = await send(ada, 'photos.zip', Buffer.from('PK\x05\x06'.padEnd(22, '\0')), 'application/zip')
  const { content } = await talkOf(ada)('Unpack this', photos)
  expect(content).not.toContain('refund')
})

test('files without words lead to the offerings that take them', async () => {
  const ada = await market.user('ada')
  const { content } = await talkOf(ada)('', await sendPdf(ada, 'report.pdf'))
  expect(content).toContain('Text of a PDF')
  expect(content).not.toContain('Smaller picture')
})

test('two files that fit one place are asked about, and a name answers', async () => {
  const ada = await market.user('ada')
  const [logo, photo] = [await send(ada, 'logo.png'), await send(ada, 'beach.png')]
  const say = talkOf(ada)
  const asked = await say('Make this picture smaller', logo, photo)
  expect(asked.content).toContain('Which file is the picture: logo.png or beach.png?')
  const done = await say('picture: beach.png')
  expect(inputOf(done)).toEqual({ picture: photo.file_id })
  expect(done.data.proposal?.left_out).toEqual(['logo.png'])
})

test('a missing file is asked for, and the file alone answers', async () => {
  const ada = await market.user('ada')
  const say = talkOf(ada)
  const asked = await say('Extract the text of a PDF document')
  expect(asked.content).toContain('Which file is the document? It takes a PDF.')
  const report = await sendPdf(ada, 'report.pdf')
  expect(inputOf(await say('', report))).toEqual({ document: report.file_id })
})

test('an edited file makes new terms, and only in its place', async () => {
  const ada = await market.user('ada')
  const [one, two, three] = [await sendPdf(ada, 'one.pdf'), await sendPdf(ada, 'two.pdf'), await sendPdf(ada, 'three.pdf')]
  const say = talkOf(ada)
  expect(inputOf(await say('Compare two PDF documents', one, two))).toEqual({ before: one.file_id, after: two.file_id })
  expect(inputOf(await say(JSON.stringify({ after: three.file_id })))).toEqual({ before: one.file_id, after: three.file_id })
})

test('a later task takes the file from before when its words speak of it', async () => {
  const ada = await market.user('ada')
  const say = talkOf(ada)
  const report = await sendPdf(ada, 'report.pdf')
  await say('Make this picture smaller', await send(ada, 'logo.png'))
  await say('no')
  await say('Extract the text', report)
  await say('no')
  const again = await say('Extract the text of the PDF from before')
  expect(inputOf(again)).toEqual({ document: report.file_id })
})

test('"both files" are the two of before, in their order', async () => {
  const ada = await market.user('ada')
  const say = talkOf(ada)
  const [one, two] = [await sendPdf(ada, 'first.pdf'), await sendPdf(ada, 'second.pdf')]
  await say('Extract the text of a PDF', one)
  await say('no')
  await say('Extract the text of a PDF', two)
  await say('no')
  expect(inputOf(await say('Compare both files: these two PDF documents'))).toEqual({ before: one.file_id, after: two.file_id })
})
