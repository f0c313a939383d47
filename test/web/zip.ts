import { crc32, deflateRawSync } from 'node:zlib'

type Parts = Record<string, string | Buffer>

const numbers = (form: [bytes: 2 | 4, value: number][]) =>
  Buffer.concat(
    form.map(([bytes, value]) => {
      const it = Buffer.alloc(bytes)
      it.writeUIntLE(value, 0, bytes)
      return it
    }),
  )

/** An archive as any program writes it: members, their directory, and its end. */
export const toZip = (parts: Parts): Buffer => {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(parts)) {
    const plain = Buffer.from(text)
    const packed = deflateRawSync(plain)
    const shared: [2 | 4, number][] = [
      [2, 20],
      [2, 0x800],
      [2, 8],
      [4, 0],
      [4, crc32(plain)],
      [4, packed.length],
      [4, plain.length],
    ]
    const named = [2, Buffer.byteLength(name)] as [2, number]
    const body = Buffer.concat([numbers([[4, 0x04034b50], ...shared, named, [2, 0]]), Buffer.from(name), packed])
    directory.push(
      numbers([[4, 0x02014b50], [2, 20], ...shared, named, [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, at]]),
      Buffer.from(name),
    )
    bodies.push(body)
    at += body.length
  }
  const count = Object.keys(parts).length % 0xffff
  const all = Buffer.concat(directory)
  const end = numbers([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, all.length],
    [4, at],
    [2, 0],
  ])
  return Buffer.concat([...bodies, all, end])
}

/** A workbook of two sheets, the first of which is to be added. */
export const workbook = {
  'xl/workbook.xml':
    '<workbook><sheets><sheet name="Orders &amp; more" r:id="rId2"/><sheet name="B" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>',
  'xl/sharedStrings.xml':
    '<sst><si><t>customer</t></si><si><r><t>Ad</t></r><r><t xml:space="preserve">a &lt;b&gt;</t></r></si></sst>',
  'xl/styles.xml':
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>',
  'xl/worksheets/sheet1.xml': '<worksheet/>',
}
