import { randomBytes } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import * as tus from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createClient } from '../../src/cli/client.ts'
import { limits } from '../../src/domain/limits.ts'
import { uploadFile } from '../../src/kit/files.ts'
import { fileRecord, uploadRecord } from '../../src/records/file.ts'
import { createTestClock, type TestService, type User } from '../service.ts'
import { leaseShrinking } from './leases.ts'
import { type FileMarket, fileStores } from './stores.ts'
import { getFile, refusalOf } from './wire.ts'

const clock = createTestClock()

describe.each(Object.keys(fileStores))('an upload in parts, in %s', store => {
  let at: FileMarket
  let market: TestService
  let ada: User
  beforeAll(async () => {
    at = await (fileStores[store] ?? expect.fail())({ clock })
    market = at.market
    ada = await market.user('ada')
  })
  afterAll(() => at?.stop())

  type Asked = { method?: string; path?: string; offset?: number; body?: Uint8Array | object; who?: User | undefined }
  const ask = (given: Asked) => {
    const { method = 'GET', path = '', offset, body } = given
    const who = 'who' in given ? given.who : ada
    const headers = {
      ...(who && { authorization: `Bearer ${who.token}` }),
      ...(offset !== undefined && { 'upload-offset': String(offset) }),
      'content-type': body instanceof Uint8Array || !body ? 'application/offset+octet-stream' : 'application/json',
    }
    const sent = body instanceof Uint8Array ? new Uint8Array(body) : body && JSON.stringify(body)
    return fetch(`${market.url}/v1/uploads${path}`, { method, headers, ...(sent && { body: sent }) })
  }
  const begin = async (bytes: number, who = ada) => {
    const answer = await ask({ method: 'POST', body: { bytes, name: 'parts.bin' }, who })
    return `/${uploadRecord.parse(await answer.json()).upload_id}`
  }
  const read = async (path: string) => uploadRecord.parse(await (await ask({ path })).json())
  const sendPart = (path: string, offset: number, body: Uint8Array, who = ada) =>
    ask({ method: 'PATCH', path, offset, body, who })
  const bytesOf = async (id: string) =>
    Buffer.from(await (await getFile({ url: market.url, token: ada.token }, id)).arrayBuffer())

  test('becomes one file of the user, and leaves no parts', async () => {
    const bytes = randomBytes(500_000)
    const before = (await at.kept()).length
    const path = await begin(bytes.length)
    for (const [start, end] of [
      [0, 200_000],
      [200_000, 200_001],
      [200_001, 500_000],
    ] as const) {
      const answer = await sendPart(path, start, bytes.subarray(start, end))
      expect([answer.status, answer.headers.get('upload-offset')]).toEqual([204, String(end)])
    }
    const { file, offset } = await read(path)
    expect([offset, file?.bytes, file?.name]).toEqual([500_000, 500_000, 'parts.bin'])
    expect((await bytesOf(file?.file_id ?? '')).equals(bytes)).toBe(true)
    expect((await at.kept()).length).toBe(before + 1)
  })

  test('goes on where a connection broke off, for a client of the tus protocol that was not written here', async () => {
    const bytes = randomBytes(900_000)
    const breaking = await breakAfter(market.url, 400_000)
    const sentFrom: number[] = []
    const upload = await new Promise<tus.Upload>((resolve, reject) => {
      const it = new tus.Upload(bytes, {
        endpoint: `${breaking.url}/v1/uploads`,
        headers: { authorization: `Bearer ${ada.token}` },
        metadata: { filename: 'from tus.bin', filetype: 'application/octet-stream' },
        retryDelays: [0, 100, 500, 1_000],
        onBeforeRequest: request => {
          const from = request.getHeader('Upload-Offset')
          if (from !== undefined) sentFrom.push(Number(from))
        },
        onSuccess: () => resolve(it),
        onError: reject,
      })
      it.start()
    })
    expect(breaking.broken()).toBe(1)
    expect(sentFrom[0]).toBe(0)
    expect(sentFrom.at(-1)).toBeGreaterThan(0)
    const { file } = await read(`/${upload.url?.split('/').at(-1)}`)
    expect(file?.name).toBe('from tus.bin')
    expect((await bytesOf(file?.file_id ?? '')).equals(bytes)).toBe(true)
  })

  test('of the command line goes on after a broken connection', async () => {
    const bytes = randomBytes(9_000_000)
    const breaking = await breakAfter(market.url, 3_000_000)
    const client = createClient({ url: breaking.url, token: ada.token })
    const { file_id } = fileRecord.parse(await client.upload(new Blob([new Uint8Array(bytes)]), 'large.bin'))
    expect(breaking.broken()).toBe(1)
    expect((await bytesOf(file_id)).equals(bytes)).toBe(true)
  })

  test('of an agent for its job goes on after a broken connection, and ends with the lease', async () => {
    const { agent, job } = await leaseShrinking(market, ada)
    const breaking = await breakAfter(market.url, 3_000_000)
    const url = job.upload_url.replace(market.url, breaking.url)
    const id = await uploadFile(url, new Uint8Array(randomBytes(9_000_000)), 'small.png')
    expect(breaking.broken()).toBe(1)
    expect((await fetch(`${market.url}/v1/files/${id}/record`, { headers: { 'x-agent-secret': agent.token } })).status).not.toBe(
      200,
    )
    expect(await market.service.world.deps.store.filesForJob(job.job_id)).toMatchObject([{ id, jobId: job.job_id }])
    const forged = new URL(url.replace(/by=\d+/, 'by=99'))
    await expect(uploadFile(forged.href, new Uint8Array(9_000_000), 'x')).rejects.toThrow('status 401')
  })

  test('is answered in the words of tus, whatever the answer', async () => {
    const path = await begin(10)
    const options = await ask({ method: 'OPTIONS', who: undefined })
    expect([options.status, options.headers.get('tus-version'), options.headers.get('tus-max-size')]).toEqual([
      204,
      '1.0.0',
      String(limits.fileBytes),
    ])
    for (const answer of [await ask({ path }), await sendPart(path, 5, randomBytes(1)), await ask({ method: 'DELETE', path })])
      expect(answer.headers.get('tus-resumable')).toBe('1.0.0')
    const headers = { authorization: `Bearer ${ada.token}`, 'tus-resumable': '0.2.2' }
    const old = await fetch(`${market.url}/v1/uploads/x`, { headers })
    expect([old.status, old.headers.get('tus-version')]).toEqual([412, '1.0.0'])
  })

  test('is unknown to everybody else', async () => {
    const path = await begin(10)
    const bob = await market.user('bob')
    for (const method of ['GET', 'DELETE', 'HEAD']) expect((await ask({ method, path, who: bob })).status).toBe(404)
    expect((await sendPart(path, 0, randomBytes(10), bob)).status).toBe(404)
    expect((await ask({ path, who: undefined })).status).toBe(401)
    expect((await ask({ path: '/upload_00000000000000000000000000000000' })).status).toBe(404)
  })

  test('takes no byte twice and none too many', async () => {
    const bytes = randomBytes(300_000)
    const before = (await at.kept()).length
    const path = await begin(bytes.length)
    expect(await refusalOf(await sendPart(path, 5, bytes))).toMatchObject({ status: 409, code: 'wrong-offset' })
    expect(await refusalOf(await sendPart(path, 0, randomBytes(300_001)))).toMatchObject({ status: 413 })
    const [one, two] = await Promise.all([0, 0].map(() => sendPart(path, 0, bytes.subarray(0, 150_000))))
    expect([one?.status, two?.status].toSorted()).toEqual([204, 409])
    expect((await sendPart(path, 150_000, bytes.subarray(150_000))).status).toBe(204)
    expect((await bytesOf((await read(path)).file?.file_id ?? '')).equals(bytes)).toBe(true)
    expect((await at.kept()).length).toBe(before + 1)
  })

  test('that has become a file takes no byte more, and names its end to who asks for nothing', async () => {
    const path = await begin(10)
    expect((await sendPart(path, 0, randomBytes(10))).status).toBe(204)
    expect(await refusalOf(await sendPart(path, 0, randomBytes(10)))).toMatchObject({ status: 409, code: 'wrong-offset' })
    expect(await refusalOf(await sendPart(path, 10, randomBytes(1)))).toMatchObject({ status: 413 })
    const nothing = await ask({ method: 'PATCH', path, offset: 10 })
    expect([nothing.status, nothing.headers.get('upload-offset')]).toEqual([204, '10'])
  })

  test('ends a week after it began, however often another byte comes', async () => {
    const kim = await market.user('kim')
    const path = await begin(100, kim)
    const stepMs = limits.fileUploadMs - 60_000
    let sent = 0
    for (; sent * stepMs < limits.fileKeepMs; sent += 1) {
      // The clock has jumped: the sweep may take a draft that is being written for one of yesterday. Then the part is sent again.
      await expect.poll(async () => (await sendPart(path, sent, randomBytes(1), kim)).status).toBe(204)
      clock.advance(stepMs, market.service.world.deps.wakeups)
    }
    await expect.poll(async () => (await ask({ path, who: kim })).status).toBe(404)
    // Of all files that are a week old by now, that of an open job stays.
    await expect.poll(async () => (await at.kept()).length).toBe(1)
    expect(sent).toBeGreaterThan(6)
  })

  test('has the bounds of a file, and a user begins only so many', async () => {
    const eve = await market.user('eve')
    const tooLarge = await ask({ method: 'POST', body: { bytes: limits.fileBytes + 1 }, who: eve })
    expect(await refusalOf(tooLarge)).toMatchObject({ status: 413 })
    for (let count = 0; count < limits.fileUploadsOfUser; count += 1) await begin(10, eve)
    const refused = await ask({ method: 'POST', body: { bytes: 10 }, who: eve })
    expect(await refusalOf(refused)).toMatchObject({ status: 429, code: 'too-many-kept' })
  })

  test('that is given up or forgotten leaves nothing', async () => {
    const before = (await at.kept()).length
    const [given, forgotten] = [await begin(10), await begin(10)]
    for (const path of [given, forgotten]) await sendPart(path, 0, randomBytes(5))
    expect((await at.kept()).length).toBe(before + 2)
    expect((await ask({ method: 'DELETE', path: given })).status).toBe(204)
    expect((await ask({ path: given })).status).toBe(404)
    expect((await at.kept()).length).toBe(before + 1)
    clock.advance(limits.fileUploadMs + 1, market.service.world.deps.wakeups)
    await expect.poll(async () => (await ask({ path: forgotten })).status).toBe(404)
    await expect.poll(async () => (await at.kept()).length).toBe(before)
  })
})

const address = z.object({ port: z.number() })

/** A connection to a service that breaks off once, after so many bytes. */
const breakAfter = async (url: string, bytes: number) => {
  let left = bytes
  let broken = 0
  const sockets = new Set<Socket>()
  const proxy = createServer(from => {
    const to = connect(Number(new URL(url).port), '127.0.0.1')
    for (const socket of [from, to]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => void sockets.delete(socket))
    }
    from.on('close', () => to.destroy())
    to.on('close', () => from.destroy())
    to.pipe(from)
    from.on('data', chunk => {
      left -= chunk.length
      if (left > 0 || broken > 0) return to.write(chunk)
      broken += 1
      to.write(chunk, () => from.destroy())
    })
  })
  await new Promise<void>(listening => proxy.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  return { url: `http://127.0.0.1:${address.parse(proxy.address()).port}`, broken: () => broken }
}
