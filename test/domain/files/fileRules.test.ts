import { Readable } from 'node:stream'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { takingMembersOf } from '../../../src/domain/files/fileMembers.ts'
import { boundsOf, fileKeywords } from '../../../src/domain/files/fileRules.ts'
import { faultOfFile, fileIdsIn, toMemberWords } from '../../../src/domain/files/namedFile.ts'
import { readPixels } from '../../../src/domain/files/pixels.ts'
import { createRowCount } from '../../../src/domain/files/rowCount.ts'
import { checkSchema } from '../../../src/domain/schemas/schema.ts'
import { countPdfPages } from '../../../src/operations/files/measureFile.ts'
import { toPdf } from '../../files/pdf.ts'

const of = (member: object) => JSON.parse(JSON.stringify({ type: 'object', properties: { it: member } }))
const [member] = takingMembersOf(of({ type: 'string', format: 'file', minWidth: 800, maxPages: 3 }))
const file = { name: 'a.png', media_type: 'image/png', bytes: 10 }

test('each keyword of a file is taken in a schema, and bounds one measure', () => {
  for (const it of fileKeywords) {
    expect(() => checkSchema(of({ type: 'string', format: 'file', [it]: 5 }))).not.toThrow()
    expect(boundsOf({ [it]: 5 })).toHaveLength(1)
    expect(boundsOf({ [it]: 'many' })).toEqual([])
  }
})

test('a demand is told in words, and a file outside of it or without the measure fails with the reason', () => {
  if (!member) throw new Error('no member')
  expect(toMemberWords(member)).toBe('it is a file of at least 800 pixels of width, at most 3 pages')
  expect(faultOfFile(member, { ...file, measures: { width: 800, pages: 3 } })).toBeUndefined()
  expect(faultOfFile(member, { ...file, measures: { width: 799, pages: 1 } })).toBe(
    'a.png has 799 pixels of width, and should have at least 800 pixels of width.',
  )
  expect(faultOfFile(member, { ...file, measures: { width: 900 } })).toMatch(/at most 3 pages, which could not be read/)
})

test.each(['png', 'jpeg', 'gif', 'webp', 'lossless webp', 'extended webp'])(
  'the size of a %s is read from its head',
  async kind => {
    const background = { r: 10, g: 90, b: 80, alpha: kind === 'extended webp' ? 0.5 : 1 }
    const made = sharp({ create: { width: 640, height: 423, channels: kind === 'jpeg' ? 3 : 4, background } })
    const format = kind.split(' ').at(-1) as 'png'
    const bytes = await made
      .withMetadata({ density: 300 })
      .toFormat(format, kind === 'lossless webp' ? ({ lossless: true } as object) : {})
      .toBuffer()
    expect(readPixels(bytes)).toEqual({ width: 640, height: 423 })
    for (let end = 0; end < 40; end += 1) expect(() => readPixels(bytes.subarray(0, end))).not.toThrow()
  },
)

test('rows are those with content after the header, and a line end in quotes ends none', () => {
  const count = createRowCount()
  for (const part of ['name,note\r\nAda,"two\nli', 'nes"\n\n  \nBob,"say ""hi"""\nCyd,']) count.add(Buffer.from(part))
  expect(count.rows()).toBe(3)
  expect(createRowCount().rows()).toBe(0)
})

/** The pages of a PDF that is read in pieces. */
const pagesOf = (bytes: Uint8Array, pieceBytes = 64 * 1_024) => {
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) =>
    bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes),
  )
  return countPdfPages(Readable.from(pieces))
}

test('pages of a PDF are counted from its page tree, and a text that only looks like one has none', async () => {
  expect(await pagesOf(Buffer.from(toPdf(['one', 'two', 'three'])))).toBe(3)
  expect(await pagesOf(Buffer.from('%PDF-1.7 nothing'))).toBeUndefined()
  // Newer programs compress the tree, and a changed PDF has its old objects too.
  const inside = '1 0 2 35 << /Type /Catalog /Pages 2 0 R >>    << /Type /Pages /Kids [] /Count 7 >>'
  const packed = deflateSync(inside)
  const head = `%PDF-1.5\n2 0 obj\n<< /Type /Pages /Count 9 >>\nendobj\n5 0 obj\n<< /Type /ObjStm /N 2 /First 9 >>\nstream\n`
  expect(await pagesOf(Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream\nendobj\n')]))).toBe(7)
})

test('pages of a large PDF are counted wherever its objects lie', async () => {
  const tail =
    '1 0 obj\n<< /Type /Catalog /Pages 22 0 R >>\nendobj\n22 0 obj\n<< /Count 9 >>\nendobj\n222 0 obj\n<< /Count 5 >>\nendobj\n'
  // The tail lies at each place across the one where the first part of the file ends.
  for (let before = 4_214_200; before < 4_214_330; before += 4) {
    const bytes = Buffer.concat([Buffer.alloc(before, 'x'), Buffer.from(tail), Buffer.alloc(4_300_000, 'y')])
    expect(await pagesOf(bytes, 1_000_003)).toBe(9)
  }
})

const endless = '1 0 2 4000000 '.repeat(100_000)
test.each([
  ['one object again and again', () => Buffer.from('1 0 obj\n'.repeat(3_000_000))],
  ['streams without an end', () => Buffer.from('1 0 obj<</Type/ObjStm>>stream\n'.repeat(800_000))],
  [
    'objects that lie over each other',
    () => {
      const packed = deflateSync(endless + ' '.repeat(2_500_000))
      const head = `5 0 obj\n<</Type/ObjStm/First ${endless.length}>>\nstream\n`
      return Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream')])
    },
  ],
])('%s are no PDF whose pages are counted, and take no longer than their bytes', async (_what, toBytes) => {
  expect(await pagesOf(toBytes())).toBeUndefined()
})

test.each([
  [{ type: 'string', format: 'uri' }, 'photo_url', 'image/*'],
  [{ type: 'string', format: 'uri' }, 'audioUrl', 'audio/*'],
  [{ type: 'string', format: 'url', description: 'Address of the PDF' }, 'source', 'application/pdf'],
  [{ type: 'string', format: 'uri', description: 'Your document to sign' }, 'source', ''],
  [{ type: 'string', format: 'uri', description: 'Address of the page of which a picture is made' }, 'page', undefined],
  [{ type: 'string', format: 'uri', description: 'The shop to look at' }, 'url', undefined],
  [{ type: 'string', description: 'The picture' }, 'picture', undefined],
])('an address takes a file where its name or description says so: %j %s', (schema, name, mediaType) => {
  const form = JSON.parse(JSON.stringify({ type: 'object', properties: { [name]: schema } }))
  expect(takingMembersOf(form).map(it => it.mediaType)).toEqual(mediaType === undefined ? [] : [mediaType])
  const id = `file_${'a'.repeat(32)}`
  expect(fileIdsIn(form, { [name]: id })).toHaveLength(mediaType === undefined ? 0 : 1)
  expect(fileIdsIn(form, { [name]: 'https://example.org/a.png' })).toEqual([])
})
