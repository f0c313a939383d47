import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/domain/limits.ts'
import { uploadRecord } from '../../src/records/file.ts'
import { createTestClock, type TestService, type User } from '../service.ts'
import { leaseWith } from './leases.ts'
import { type FileMarket, fileStores } from './stores.ts'
import { getFile, png, refusalOf, sendFile, upload } from './wire.ts'

const clock = createTestClock()

describe.each(Object.keys(fileStores))('a service with a bound of all files, in %s', store => {
  let at: FileMarket
  let market: TestService
  let ada: User
  beforeAll(async () => {
    at = await (fileStores[store] ?? expect.fail())({ clock, env: { MAX_FILES_GB: '0.001' } })
    market = at.market
    ada = await market.user('ada')
  })
  afterAll(() => at?.stop())

  const as = ({ token }: User) => ({ url: market.url, token })
  const isThere = async (who: User, id: string) => (await getFile(as(who), id)).status === 200
  const send = (who: User, name: string) => upload(as(who), { bytes: randomBytes(300_000), name })

  test('removes the oldest that no job refers to, whoever keeps it, and none of the last hour', async () => {
    const used = await upload(as(ada), { bytes: png, name: 'used.png' })
    await leaseWith(market, ada, { fileId: used.file_id })
    const eve = await market.user('eve')
    const [first, second, third] = [await send(ada, '1'), await send(eve, '2'), await send(ada, '3')]
    const before = (await at.kept()).length
    const refused = await sendFile(as(eve), { bytes: randomBytes(300_000), name: '4' })
    expect(await refusalOf(refused)).toMatchObject({ status: 503, code: 'storage-full' })
    expect((await at.kept()).length).toBe(before)
    clock.advance(limits.fileRestMs + 60_000, market.service.world.deps.wakeups)
    const fourth = await send(await market.user('eve'), '4')
    expect(await Promise.all([used, first, third].map(it => isThere(ada, it.file_id)))).toEqual([true, false, true])
    expect(await Promise.all([second, fourth].map(it => isThere(eve, it.file_id)))).toEqual([true, true])
    expect((await at.kept()).length).toBe(before)
  })

  test('removes an upload in parts that nobody goes on with, and none to which a part came within the hour', async () => {
    clock.advance(2 * limits.fileKeepMs, market.service.world.deps.wakeups)
    await expect.poll(async () => (await at.kept()).length).toBe(1)
    const eve = await market.user('eve')
    const headers = { authorization: `Bearer ${eve.token}`, 'upload-offset': '0', 'upload-length': '800000' }
    const begin = () => fetch(`${market.url}/v1/uploads`, { method: 'POST', headers })
    const path = `${market.url}/v1/uploads/${uploadRecord.parse(await (await begin()).json()).upload_id}`
    expect((await fetch(path, { method: 'PATCH', headers, body: new Uint8Array(780_000) })).status).toBe(204)
    expect(await refusalOf(await begin())).toMatchObject({ status: 503, code: 'storage-full' })
    clock.advance(limits.fileRestMs + 60_000, market.service.world.deps.wakeups)
    await send(ada, 'a file that needs its room')
    expect((await fetch(path, { headers })).status).toBe(404)
    expect((await at.kept()).length).toBe(2)
  })

  test('removes nothing for a file that announces more than any file may have', async () => {
    clock.advance(2 * limits.fileRestMs, market.service.world.deps.wakeups)
    const before = (await at.kept()).length
    const answer = await sendFile(as(ada), { bytes: new Uint8Array(limits.fileBytes + 1) })
    expect(answer.status).toBe(413)
    expect((await at.kept()).length).toBe(before)
  })
})
