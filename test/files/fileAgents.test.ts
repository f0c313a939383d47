import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { cleanTable, toCsvBytes, toSeries } from '../../docs/examples/agents/files/cleanTable.ts'
import { readPages, toPageCounts } from '../../docs/examples/agents/files/pages.ts'
import { toSmallerPicture } from '../../docs/examples/agents/files/smallerPicture.ts'
import { toPdf } from './pdf.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

const pictureOf = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#0b665b' } })

test('a picture becomes smaller within its bounds, upright, and loses what a camera wrote into it', async () => {
  const photo = await pictureOf(800, 400)
    .withExif({ IFD0: { Copyright: 'Ada' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const made = await toSmallerPicture(photo, { side: 200 })
  expect(made).toMatchObject({ format: 'jpeg', width: 100, height: 200, before: { width: 400, height: 800 } })
  expect(made.bytes.length).toBeLessThan(photo.length)
  expect((await sharp(made.bytes).metadata()).exif).toBeUndefined()
})

test('a picture is never made larger, and can change its format', async () => {
  const small = await pictureOf(20, 10).png().toBuffer()
  expect(await toSmallerPicture(small, { side: 500, format: 'webp' })).toMatchObject({ width: 20, height: 10, format: 'webp' })
})

/** A PNG that claims a size, whose rows are not there. */
const claiming = (width: number, height: number): Uint8Array => {
  const chunk = (type: string, bytes: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), bytes])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(bytes.length)
    sum.writeUInt32BE(crc(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
const crc = (bytes: Buffer): number => {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}

test.each([
  ['a picture that unfolds to 60,000 × 60,000 pixels', () => claiming(60_000, 60_000)],
  [
    'markup that calls itself a picture',
    () => bytesOf('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  ],
  ['a text', () => bytesOf('hello')],
])('%s is refused as a picture', async (_name, bytes) => {
  await expect(toSmallerPicture(bytes(), { side: 100 })).rejects.toThrow('This is no picture that I can read')
})

test('the text of each page of a PDF is read, and its words counted', async () => {
  const pages = await readPages(toPdf(['Hello (first) page', 'Two words']))
  expect(pages.map(it => it.trim())).toEqual(['Hello (first) page', 'Two words'])
  expect(toPageCounts(pages)).toEqual([
    { page: 1, words: 3, characters: 18 },
    { page: 2, words: 2, characters: 9 },
  ])
})

test('pages of a plain text end at form feeds, and words are counted in languages without spaces', async () => {
  const [one, two] = toPageCounts(await readPages(bytesOf('one two three\f今日は良い天気です')))
  expect([one?.words, (two?.words ?? 0) > 2]).toEqual([3, true])
})

test.each([
  ['UTF-16', Buffer.from('\ufeffGrüße aus Köln', 'utf16le')],
  ['Windows-1252', Buffer.from('Grüße aus Köln', 'latin1')],
])('a plain text in %s is read as its writer wrote it', async (_name, bytes) => {
  expect(await readPages(bytes)).toEqual(['Grüße aus Köln'])
})

test.each([
  ['a broken PDF', bytesOf('%PDF-1.4\ngarbage')],
  ['bytes that are no text', new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0x10])],
])('%s is refused as a document', async (_name, bytes) => {
  await expect(readPages(bytes)).rejects.toThrow(/^This is (?:no PDF|neither a PDF)/)
})

test('a document with more pages than are read is refused before they are read', async () => {
  await expect(readPages(toPdf(Array.from({ length: 1_001 }, () => 'x')))).rejects.toThrow('I read at most 1000')
})

test('a table loses its empty and repeated rows, and its cells become tidy', () => {
  const csv = '\uFEFFName;Sales;;Note\r\n Ada ;"1,200";; a\u00A0b \r\n;;;\r\n Ada ;"1,200";; a\u00A0b \r\nBob;17;;=1+1\r\n'
  const made = cleanTable(bytesOf(csv))
  expect(made).toEqual({
    header: ['Name', 'Sales', 'Note'],
    rows: [
      ['Ada', '1200', 'a b'],
      ['Bob', '17', '=1+1'],
    ],
    removed: { empty: 1, repeated: 1 },
    delimiter: ';',
  })
  expect(new TextDecoder().decode(toCsvBytes(made))).toBe("Name,Sales,Note\r\nAda,1200,a b\r\nBob,17,'=1+1\r\n")
  expect(toSeries(made)).toEqual({
    title: 'Sales',
    points: [
      { name: 'Ada', value: 1200 },
      { name: 'Bob', value: 17 },
    ],
  })
})

test('columns of the same name get names of their own', () => {
  expect(cleanTable(bytesOf('a,a,\n1,2,3\n')).header).toEqual(['a', 'a 2', 'column 3'])
})

test.each([
  ['one line', bytesOf('only a header')],
  ['a picture', new Uint8Array([0x89, 0x50, 0, 0, 0x0d, 0x0a])],
])('%s is refused as a table', (_name, bytes) => {
  expect(() => cleanTable(bytes)).toThrow(/table|header/)
})
