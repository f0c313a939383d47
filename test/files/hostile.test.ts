import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { limits } from '../../src/domain/limits.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { filesUnder } from './filesUnder.ts'
import { getFile, makeLink, png, refusalOf, sendFile, upload } from './wire.ts'

let market: TestService
let ada: User
beforeAll(async () => {
  market = await startTestService()
  ada = await market.user('ada')
})
afterAll(() => market.stop())

const as = ({ token }: User) => ({ url: market.url, token })
const filesOnDisk = () => filesUnder(join(market.dir, 'files'))

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const script = '<script>alert(1)</script>'
const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'

/** Files that browsers have executed somewhere, and the types that such a file may be sent under here. */
const polyglots: [string, Buffer, string][] = [
  ['GIF and JavaScript', Buffer.concat([gif, Buffer.from('=1;alert(1)')]), 'image/gif'],
  ['PNG and HTML', Buffer.concat([png, Buffer.from(script)]), 'image/png'],
  ['PDF and HTML', Buffer.from(`%PDF-1.7\n${script}\n%%EOF`), 'application/pdf'],
  ['SVG with a script', Buffer.from(svg), 'application/octet-stream'],
  ['SVG behind a declaration', Buffer.from(`<?xml version="1.0"?>\n<!-- a -->\n${svg}`), 'application/octet-stream'],
  ['SVG behind blanks', Buffer.from(`${' '.repeat(3_000)}${svg}`), 'application/octet-stream'],
  ['HTML', Buffer.from(`<!doctype html>${script}`), 'application/octet-stream'],
  ['HTML in capitals', Buffer.from('<SCRIPT>alert(1)</SCRIPT>'), 'application/octet-stream'],
  ['HTML with a byte order mark', Buffer.from(`\ufeff<html>${script}`), 'application/octet-stream'],
  ['HTML in UTF-16', Buffer.from(`\ufeff<html>${script}`, 'utf16le'), 'application/octet-stream'],
  ['XML', Buffer.from('<?xml version="1.0"?><a xmlns:b="http://www.w3.org/1999/xhtml"/>'), 'application/octet-stream'],
]

test.each(polyglots)(
  '%s is sent as an attachment of a type that nothing executes, whatever its sender says',
  async (_name, bytes, served) => {
    for (const [type, name] of [
      ['text/html', 'page.html'],
      ['image/png', 'photo.png'],
      ['image/svg+xml', 'drawing.svg'],
      ['application/octet-stream', 'data'],
    ] as const) {
      const { file_id } = await upload(as(ada), { bytes, type, name })
      const { headers } = await getFile(as(ada), file_id)
      expect(headers.get('content-type')).toBe(served)
      expect(headers.get('content-disposition')).toMatch(/^attachment;/)
      expect([headers.get('x-content-type-options'), headers.get('content-security-policy')]).toEqual([
        'nosniff',
        "sandbox; default-src 'none'",
      ])
    }
  },
)

test.each([
  ['a path', '../../etc/passwd', 'passwd'],
  ['a path of Windows', 'C:\\temp\\evil.exe', 'evil.exe'],
  ['controls', 'a\r\nSet-Cookie: x=1\u0007.txt', 'aSet-Cookie_ x=1.txt'],
  ['a turned direction', 'photo\u202egpj.exe', 'photogpj.exe'],
  ['nothing visible', '\u200b\u200b', 'file'],
  ['dots', '...', 'file'],
  ['a device', 'con.txt', '_con.txt'],
  ['quotes', 'a";filename="b.exe', 'a_;filename=_b.exe'],
  ['4 KB', `${'x'.repeat(4_000)}.pdf`, `${'x'.repeat(115)}….pdf`],
])('a name with %s is made harmless', async (_what, name, kept) => {
  const record = await upload(as(ada), { bytes: randomBytes(8), name })
  expect(record.name).toBe(kept)
  const { headers } = await getFile(as(ada), record.file_id)
  expect(headers.get('set-cookie')).toBeNull()
  expect([...kept].length).toBeLessThanOrEqual(120)
})

describe('a bomb is kept as it is, and never unpacked', () => {
  const zeros = Buffer.alloc(50 * 1_024 * 1_024)
  const chunk = (type: string, bytes: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return Buffer.concat([length, Buffer.from(type), bytes, Buffer.alloc(4)])
  }
  const size = Buffer.from([0, 1, 0, 0, 0, 1, 0, 0, 8, 6, 0, 0, 0])

  test.each([
    ['gzip', gzipSync(zeros), 'application/gzip'],
    ['PNG', Buffer.concat([png.subarray(0, 8), chunk('IHDR', size), chunk('IDAT', deflateSync(zeros))]), 'image/png'],
  ])('%s', async (_what, bytes, type) => {
    const before = process.memoryUsage().rss
    const record = await upload(as(ada), { bytes, name: 'bomb' })
    expect(record).toMatchObject({ media_type: type, bytes: bytes.length })
    expect(process.memoryUsage().rss - before).toBeLessThan(zeros.length)
  })
})

test('whoever knows the hash of a file gets nothing for it', async () => {
  const record = await upload(as(ada), { bytes: randomBytes(1_000), name: 'secret.bin' })
  const bob = as(await market.user('bob'))
  for (const id of [record.sha256, `file_${record.sha256.slice(0, 32)}`, `file_${record.sha256}`, record.file_id])
    expect((await getFile(bob, id)).status).toBe(404)
  for (const path of ['/v1/files/../files', `/v1/files/%2e%2e%2f${record.file_id}`, '/v1/files/__proto__'])
    expect((await fetch(`${market.url}${path}`)).status).not.toBe(200)
})

test('an address with a changed part is no address, and one of a removed file is none any more', async () => {
  const { file_id } = await upload(as(ada), { bytes: randomBytes(10), name: 'linked.bin' })
  const { link } = await makeLink(as(ada), file_id)
  const url = new URL(link?.url ?? '')
  for (const part of ['by', 'until', 'sig']) {
    const without = new URL(url)
    without.searchParams.delete(part)
    const changed = new URL(url)
    changed.searchParams.set(part, `${url.searchParams.get(part)}0`)
    for (const it of [without, changed]) expect([404, 422]).toContain((await fetch(it)).status)
  }
  await fetch(`${market.url}/v1/files/${file_id}`, { method: 'DELETE', headers: { authorization: `Bearer ${ada.token}` } })
  expect((await fetch(url)).status).toBe(404)
})

test('a user keeps so many files: the oldest go, with their bytes', async () => {
  const eve = await market.user('eve')
  const listed = z.object({ files: z.array(z.object({ file_id: z.string(), name: z.string() })), next: z.number().nullable() })
  const before = (await filesOnDisk()).length
  const more = 5
  for (let at = 0; at < limits.filesOfUser + more; at += 1)
    await upload(as(eve), { bytes: Buffer.from(`${at}`), name: `${at}.txt` })
  const first = listed.parse(await eve.client.get('/v1/files?limit=100'))
  const second = listed.parse(await eve.client.get(`/v1/files?limit=100&before=${first.next}`))
  expect(second.next).toBeNull()
  expect([first.files[0]?.name, second.files.at(-1)?.name]).toEqual([`${limits.filesOfUser + more - 1}.txt`, `${more}.txt`])
  expect((await filesOnDisk()).length).toBe(before + limits.filesOfUser)
})

test('one user has only so many transfers at once, and the place of one that broke off is free again', async () => {
  const mallory = await market.user('mallory')
  const headers = { authorization: `Bearer ${mallory.token}`, 'content-type': 'application/octet-stream' }
  const ending = new AbortController()
  const hanging = Array.from({ length: limits.fileTransfersOfOne }, () => {
    const body = new ReadableStream({ start: controller => controller.enqueue(new Uint8Array(1_000)) })
    return fetch(`${market.url}/v1/files`, { method: 'POST', headers, body, duplex: 'half', signal: ending.signal }).catch(
      () => undefined,
    )
  })
  const drafts = () => readdir(join(market.dir, 'files/drafts'))
  await expect.poll(async () => (await drafts()).length).toBe(limits.fileTransfersOfOne)
  const refused = await sendFile(as(mallory), { bytes: Buffer.from('one more') })
  expect(await refusalOf(refused)).toMatchObject({ status: 503, code: 'busy' })
  ending.abort()
  await Promise.all(hanging)
  await expect.poll(async () => (await sendFile(as(mallory), { bytes: Buffer.from('free') })).status).toBe(201)
  expect(await drafts()).toEqual([])
})
