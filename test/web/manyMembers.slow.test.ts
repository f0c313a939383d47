import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { expect, test } from 'vitest'
import { readArchive } from '../../src/web/result/stored/archives.ts'
import { readSheet } from '../../src/web/result/stored/readSheet.ts'
import { upload } from '../files/wire.ts'
import { startTestService } from '../service.ts'
import { toZip, workbook } from './zip.ts'

const million = 1_000_000
const nameOf = (at: number) => `${at}`.padStart(7, '0')

/** A zip whose directory names so many members, all at the same place. */
const toManyZip = (count: number): Buffer => {
  const one = toZip({ [nameOf(0)]: '' })
  const [directory, end] = [one.indexOf('PK\x01\x02'), one.indexOf('PK\x05\x06')]
  const entry = one.subarray(directory, end)
  const all = Buffer.concat(Array.from({ length: count }, () => entry))
  for (let at = 0; at < count; at += 1) all.write(nameOf(at), at * entry.length + 46)
  const last = Buffer.from(one.subarray(end))
  last.writeUInt32LE(all.length, 12)
  return Buffer.concat([one.subarray(0, directory), all, last])
}

/** A packed tar with so many empty members. */
const toManyTar = (count: number): Promise<Buffer> => {
  const atOnce = 1_000
  const heads = Buffer.alloc(512 * atOnce)
  for (let at = 0; at < atOnce; at += 1) {
    heads.write('0', at * 512 + 156)
    heads.write('ustar', at * 512 + 257)
  }
  const chunks = function* () {
    for (let from = 0; from < count; from += atOnce) {
      for (let at = 0; at < atOnce; at += 1) heads.write(nameOf(from + at), at * 512)
      yield Buffer.from(heads)
    }
  }
  return buffer(Readable.from(chunks()).pipe(createGzip({ level: 1 })))
}

test.each([
  ['zip', async () => toManyZip(million), 'application/zip'],
  ['tar.gz', () => toManyTar(million), 'application/gzip'],
])(
  'an archive with a million members is kept as it is, and its first thousand names are read: %s',
  async (_kind, make, type) => {
    const market = await startTestService({ env: { MAX_FILE_MB: '100' } })
    try {
      const bytes = await make()
      const { token } = await market.user('ada')
      expect(await upload({ url: market.url, token }, { bytes, name: 'many' })).toMatchObject({
        media_type: type,
        bytes: bytes.length,
      })
      const blob = new Blob([new Uint8Array(bytes)])
      const { members, isCut } = await readArchive(blob)
      expect([members.length, members[999]?.name, isCut]).toEqual([1_000, nameOf(999), true])
      await expect(readSheet(blob)).rejects.toThrow(RangeError)
    } finally {
      await market.stop()
    }
  },
  60_000,
)

test('of a workbook whose parts unpack to a hundred times their size, so many bytes are read that a page stays quick', async () => {
  const bomb = (xml: string) => Buffer.from(xml.repeat(Math.ceil(100_000_000 / xml.length)))
  const parts = {
    ...workbook,
    'xl/sharedStrings.xml': bomb('<si><t>x</t></si>'),
    'xl/worksheets/sheet2.xml': bomb('<row><c t="s"><v>1</v></c></row>'),
  }
  const table = await readSheet(new Blob([new Uint8Array(toZip(parts))]))
  expect([table.rows.length, table.isCut]).toEqual([200, true])
}, 60_000)
