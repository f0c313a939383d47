import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/domain/limits.ts'
import { createTestClock, type TestService, type User } from '../service.ts'
import { type FileMarket, fileStores } from './stores.ts'
import { getFile, makeLink, png, refusalOf, sendFile, upload } from './wire.ts'

const clock = createTestClock()
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe.each(Object.keys(fileStores))('in %s', store => {
  let at: FileMarket
  let market: TestService
  let ada: User
  let bob: User
  beforeAll(async () => {
    at = await (fileStores[store] ?? expect.fail())({ clock })
    market = at.market
    ada = await market.user('ada')
    bob = await market.user('bob')
  })
  afterAll(() => at?.stop())

  const as = ({ token }: User) => ({ url: market.url, token })

  test('a file comes back byte for byte, with its hash, and lies encrypted', async () => {
    const bytes = Buffer.concat([Buffer.from('secret beginning '), randomBytes(300_000)])
    const record = await upload(as(ada), { bytes, name: 'data.bin' })
    expect(record).toMatchObject({ bytes: bytes.length, sha256: hashOf(bytes), name: 'data.bin' })
    expect(record.file_id).toMatch(/^file_[0-9a-f]{32}$/)
    const answer = await getFile(as(ada), record.file_id)
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
    expect(answer.headers.get('etag')).toBe(`"${hashOf(bytes)}"`)
    for (const it of await at.kept()) expect(it.includes('secret beginning')).toBe(false)
  })

  test('a browser saves what it gets and executes nothing', async () => {
    const html = Buffer.from('<html><script>alert(1)</script></html>')
    const { file_id, media_type } = await upload(as(ada), { bytes: html, type: 'image/png', name: 'photo.png' })
    expect(media_type).toBe('text/html')
    const { headers } = await getFile(as(ada), file_id)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="photo.png"; filename*=UTF-8''photo.png`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
    })
  })

  test('the type is what the bytes show, and a declared type that differs is said', async () => {
    expect(await upload(as(ada), { bytes: png, type: 'text/plain' })).toMatchObject({
      media_type: 'image/png',
      declared_media_type: 'text/plain',
    })
    const csv = await upload(as(ada), { bytes: Buffer.from('a,b\n1,2\n'), name: 'table.csv' })
    expect(csv).toMatchObject({ media_type: 'text/csv' })
    expect(csv).not.toHaveProperty('declared_media_type')
  })

  test.each([
    ['a table as Excel saves it in Europe', Buffer.from('Kunde;Ort\nMüller;Köln\n', 'latin1'), 'kunden.csv', 'text/csv'],
    ['a note in UTF-16', Buffer.from('\ufeffGrüße', 'utf16le'), 'note.txt', 'text/plain'],
    ['bytes that nobody calls a text', Buffer.from('Müller', 'latin1'), 'müller', 'application/octet-stream'],
    ['bytes with controls that are called a text', Buffer.from('a\0\xff', 'latin1'), 'a.txt', 'application/octet-stream'],
  ])('%s is a text where its bytes may be one', async (_what, bytes, name, type) => {
    expect(await upload(as(ada), { bytes, name })).toMatchObject({ media_type: type })
  })

  test('nobody else reads a file, knows of it, removes it or makes an address of it', async () => {
    const { file_id } = await upload(as(ada), { bytes: png, name: 'mine.png' })
    for (const who of [as(bob), { url: market.url }]) {
      expect(await refusalOf(await getFile(who, file_id))).toMatchObject({ status: 404, code: 'file-not-found' })
      expect((await makeLink(who, file_id)).status).toBe(404)
    }
    expect((await fetch(`${market.url}/v1/files/${file_id}/record`)).status).toBe(404)
    const removed = await fetch(`${market.url}/v1/files/${file_id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${bob.token}` },
    })
    expect(removed.status).toBe(404)
  })

  describe('a part of a file', () => {
    const bytes = randomBytes(200_000)
    let id = ''
    beforeAll(async () => {
      id = (await upload(as(ada), { bytes, name: 'long.bin' })).file_id
    })

    test.each([
      ['bytes=0-0', 0, 1],
      ['bytes=65535-65536', 65_535, 65_537],
      ['bytes=131072-', 131_072, 200_000],
      ['bytes=-1', 199_999, 200_000],
      ['bytes=199999-999999999', 199_999, 200_000],
    ])('%s', async (range, start, end) => {
      const answer = await getFile(as(ada), id, { range })
      expect([answer.status, answer.headers.get('content-range')]).toEqual([206, `bytes ${start}-${end - 1}/200000`])
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(start, end))).toBe(true)
    })

    test.each(['bytes=200000-', 'bytes=-0', 'bytes=999999999999999-'])('that is not there is 416: %s', async range => {
      const answer = await getFile(as(ada), id, { range })
      expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */200000'])
    })

    test.each(['bytes=5-1', 'bytes=0-1,5-6', 'bytes=a-b', 'lines=1-2', 'bytes=', 'bytes=--1', `bytes=${'0-1,'.repeat(500)}0-1`])(
      'that no server needs to understand is the whole: %s',
      async range => {
        const answer = await getFile(as(ada), id, { range })
        expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, 200_000])
      },
    )

    test('is only sent of the same bytes, and the same bytes are not sent again', async () => {
      const other = await getFile(as(ada), id, { range: 'bytes=0-1', 'if-range': '"other"' })
      expect(other.status).toBe(200)
      await other.arrayBuffer()
      expect((await getFile(as(ada), id, { 'if-none-match': `W/"x", "${hashOf(bytes)}"` })).status).toBe(304)
    })
  })

  test('a form brings its first file, however its bytes are cut', async () => {
    const bytes = Buffer.concat([randomBytes(70_000), Buffer.from('\r\n--'), randomBytes(70_000)])
    const form = new FormData()
    form.set('comment', 'a field before the file')
    form.set('file', new File([bytes], 'Grüße "1".png', { type: 'image/png' }))
    const answer = await fetch(`${market.url}/v1/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}` },
      body: form,
    })
    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({ sha256: hashOf(bytes), bytes: bytes.length, name: 'Grüße _1_.png' })
  })

  test.each([
    ['without a file', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n'],
    ['that ends inside its file', '--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nabc'],
    ['with endless headers', `--x\r\n${'a'.repeat(20_000)}`],
    ['of nothing', ''],
  ])('a form %s is refused, and leaves nothing on the disk', async (_what, body) => {
    const before = (await at.kept()).length
    const answer = await sendFile(as(ada), { bytes: Buffer.from(body), type: 'multipart/form-data; boundary=x' })
    expect(await refusalOf(answer)).toMatchObject({ status: 422, code: 'invalid-input' })
    expect((await at.kept()).length).toBe(before)
  })

  test('a file that is too large is refused with the limit, announced or not, and leaves nothing on the disk', async () => {
    const before = (await at.kept()).length
    const chunk = new Uint8Array(1_024 * 1_024)
    let sent = 0
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1
        if (sent > 40) controller.close()
        else controller.enqueue(chunk)
      },
    })
    const headers = { authorization: `Bearer ${ada.token}`, 'content-type': 'application/octet-stream' }
    const streamed = await fetch(`${market.url}/v1/files`, { method: 'POST', headers, body: endless, duplex: 'half' })
    const announced = await sendFile(as(ada), { bytes: new Uint8Array(limits.fileBytes + 1) })
    for (const answer of [streamed, announced])
      expect(await refusalOf(answer)).toMatchObject({ status: 413, detail: expect.stringContaining('25 MiB') })
    expect((await at.kept()).length).toBe(before)
  })

  test('an address works without a header until its time is over, and for no other file', async () => {
    const first = await upload(as(ada), { bytes: png, name: 'first.png' })
    const second = await upload(as(ada), { bytes: Buffer.from('other'), name: 'second.txt' })
    const { link } = await makeLink(as(ada), first.file_id)
    expect(link?.made_by).toBe(ada.wallet)
    const url = link?.url ?? ''
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(png)).toBe(true)
    expect((await fetch(url.replace(first.file_id, second.file_id))).status).toBe(404)
    expect((await fetch(url.replace(/until=\d+/, 'until=99999999999999'))).status).toBe(404)
    expect((await fetch(url.replace(/by=0x\w+/, `by=${bob.wallet}`))).status).toBe(404)
    clock.advance(limits.fileLinkMs + 1_000, market.service.world.deps.wakeups)
    expect((await fetch(url)).status).toBe(404)
  })

  test('the list shows own files, page by page, and a removed one is gone with its bytes', async () => {
    const eve = await market.user('eve')
    for (const name of ['1.txt', '2.txt', '3.txt']) await upload(as(eve), { bytes: Buffer.from(name), name })
    const page = await eve.client.get('/v1/files?limit=2')
    expect(page).toMatchObject({ files: [{ name: '3.txt' }, { name: '2.txt' }] })
    const { next, files } = page as { next: number; files: { file_id: string }[] }
    expect(await eve.client.get(`/v1/files?limit=2&before=${next}`)).toMatchObject({ files: [{ name: '1.txt' }], next: null })
    const before = (await at.kept()).length
    const gone = files[0]?.file_id ?? ''
    const removed = await fetch(`${market.url}/v1/files/${gone}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${eve.token}` },
    })
    expect(removed.status).toBe(200)
    expect((await getFile(as(eve), gone)).status).toBe(404)
    expect((await at.kept()).length).toBe(before - 1)
  })

  test('the same bytes under the same name are one file', async () => {
    const eve = await market.user('twice')
    const [one, two] = [
      await upload(as(eve), { bytes: png, name: 'a.png' }),
      await upload(as(eve), { bytes: png, name: 'a.png' }),
    ]
    expect(two.file_id).toBe(one.file_id)
  })
})
