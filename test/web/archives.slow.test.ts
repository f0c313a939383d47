import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readArchive } from '../../src/web/result/stored/archives.ts'
import { readSheet } from '../../src/web/result/stored/readSheet.ts'
import { toZip, workbook } from './zip.ts'

const zipped = (parts: Parameters<typeof toZip>[0]) => new Blob([new Uint8Array(toZip(parts))])

const toTar = (names: string[]): Buffer =>
  Buffer.concat([
    ...names.flatMap(name => {
      const head = Buffer.alloc(512)
      head.write(name)
      head.write('00000000003', 124)
      head.write('0', 156)
      head.write('ustar', 257)
      return [head, Buffer.concat([Buffer.from('abc'), Buffer.alloc(509)])]
    }),
    Buffer.alloc(1024),
  ])

const namesIn = async (blob: Blob) => (await readArchive(blob)).members.map(it => it.name)

test('an archive is a list of names and sizes, whatever they say', async () => {
  const names = ['photos/one.png', '../../etc/passwd', 'a‮gpj.exe']
  const zip = zipped(Object.fromEntries(names.map(it => [it, 'abc'])))
  expect((await readArchive(zip)).members).toMatchObject(names.map(name => ({ name, bytes: 3 })))
  expect(await namesIn(new Blob([toTar(names)]))).toEqual(names)
  expect(await namesIn(new Blob([gzipSync(toTar(names))]))).toEqual(names)
})

test('of an archive with very many members the first thousand are listed', async () => {
  const many = Array.from({ length: 5_000 }, (_, at) => `${at}`)
  const zip = await readArchive(zipped(Object.fromEntries(many.map(it => [it, '']))))
  const tar = await readArchive(new Blob([gzipSync(toTar(many))]))
  for (const it of [zip, tar]) expect([it.members.length, it.isCut]).toEqual([1_000, true])
})

test('of an archive with a million members no more is read than is listed', async () => {
  const one = toZip({ '000000': '' })
  const entry = one.subarray(one.indexOf('PK\x01\x02'), one.lastIndexOf('PK\x05\x06'))
  const last = Buffer.from(one.subarray(one.lastIndexOf('PK\x05\x06')))
  last.writeUInt32LE(entry.length * 1_000_000, 12)
  last.writeUInt32LE(0, 16)
  const blob = new Blob([Buffer.alloc(entry.length * 1_000_000, entry), last])
  const read: number[] = []
  const slice = blob.slice.bind(blob)
  blob.slice = (start = 0, end = blob.size, type) => {
    read.push(Math.min(end, blob.size) - start)
    return slice(start, end, type)
  }
  expect((await readArchive(blob)).members).toHaveLength(1_000)
  expect(Math.max(...read)).toBeLessThanOrEqual(4 * 1_024 * 1_024)
})

test('a member that unpacks to a thousand times its size is read up to the bound', async () => {
  const { members } = await readArchive(zipped({ bomb: Buffer.alloc(50_000_000) }))
  expect(await members[0]?.read?.(1_000)).toHaveLength(1_000)
})

test.each([
  ['nothing', ''],
  ['text', 'no archive at all'.repeat(100)],
  ['a zip without its end', 'PK\x03\x04'.repeat(400)],
  ['a packed text', gzipSync('no archive at all'.repeat(100))],
  ['a broken stream', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3])],
])('%s is no archive', async (_name, bytes) => {
  await expect(readArchive(new Blob([bytes])).then(({ members }) => members.length || Promise.reject())).rejects.not.toBe(0)
})

const sheet = (rows: string) => ({
  ...workbook,
  'xl/worksheets/sheet2.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
})
const head = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>since</t></is></c></row>'

test('the first sheet of a workbook is a table, with its texts, numbers and dates', async () => {
  const row = '<row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2"><f>1+1</f><v>2.5</v></c><c r="C2" s="1"><v>45231</v></c></row>'
  expect(await readSheet(zipped(sheet(head + row)))).toEqual({
    ...{ sheet: 'Orders & more', sheets: 2, isCut: false },
    columns: ['customer', 'column 2', 'since'],
    rows: [{ customer: 'Ada <b>', 'column 2': 2.5, since: '2023-11-01' }],
  })
})

test('of a long sheet the first two hundred rows are read, and of no workbook nothing', async () => {
  const rows = Array.from({ length: 5_000 }, (_, at) => `<row><c><v>${at}</v></c></row>`).join('')
  const table = await readSheet(zipped(sheet(head + rows)))
  expect([table.rows.length, table.isCut]).toEqual([200, true])
  await expect(readSheet(zipped({ 'word/document.xml': '' }))).rejects.toThrow(RangeError)
})
