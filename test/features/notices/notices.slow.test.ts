import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { limits } from '../../../src/domain/limits.ts'
import { noticesRecord, savedSearches } from '../../../src/records/notice.ts'
import { talk } from '../../hire/market.ts'
import { post, send, untilFindable } from '../../http/wire.ts'
import { createTestClock, startTestService, type TestService, type User, until } from '../../service.ts'
import { startPushService } from './pushService.ts'

const device = z.object({ device_id: z.string() })
const search = z.object({ search_id: z.string() })

const clock = createTestClock()
let market: TestService
/** Lets half a minute pass, and wakes the workers of this feature. */
const pass = (channel: string) => {
  const { wakeups } = market.service.world.deps
  clock.advance(31_000, wakeups)
  wakeups.notify(channel)
}
beforeAll(async () => {
  market = await startTestService({ clock })
  await market.agent({
    handle: 'slow-hand',
    offerings: [{ id: 'spoon', name: 'Carve a spoon', description: 'Carves a wooden spoon.', price: '0.30', slaMinutes: 5 }],
    handler: async () => 'A spoon for 4242',
  })
})
afterAll(() => market.stop())

const notices = async ({ client }: User) => noticesRecord.parse(await client.get('/v1/notices'))
const searches = async ({ client }: User) => savedSearches.parse(await client.get('/v1/searches')).searches

/** Hires the spoon and agrees to it. */
const hire = async (user: User) => {
  const { say } = talk(user)
  const { data } = await say('Hire agent slow-hand to carve a wooden spoon for my secret friend 4711')
  await say('yes', 0)
  return data.run_id
}

describe('a browser is told', () => {
  test('when a job ends: signed and encrypted, with no amount, input or result in it', async () => {
    const [user, service] = [await market.user('told'), await startPushService()]
    await user.client.post('/v1/notices/devices', service.subscription)
    const runId = await hire(user)
    const [first] = await until('the push', async () => service.taken.length > 0 && service.taken)
    expect(first?.notice).toMatchObject({ title: '“Carve a spoon” is ready', tag: runId })
    expect(first?.notice.url).toMatch(/^\/app\/c\/[\w%-]+$/)
    expect(JSON.stringify(first?.notice)).not.toMatch(/4711|4242|0\.3|friend/)
    expect(first?.ttl).toBe('86400')
    expect([...service.keys]).toEqual([(await notices(user)).public_key])
    // The service signs with the same key after a restart, so that browsers need not subscribe anew.
    const before = (await notices(user)).public_key
    await market.restart()
    expect((await notices(user)).public_key).toBe(before)
  })

  test('once, although the push service fails at first', async () => {
    const [user, service] = [await market.user('again'), await startPushService()]
    await user.client.post('/v1/notices/devices', service.subscription)
    service.answer([503])
    await hire(user)
    await until('the refused push', async () => service.asked() === 1)
    expect(service.taken).toEqual([])
    // The pause begins when the answer of the push service was stored.
    await until('the push', async () => {
      pass('notices')
      return service.taken.length > 0
    })
    await hire(user)
    await until('the next push', async () => service.taken.length > 1)
    expect(service.asked()).toBe(3)
  })

  test.each([404, 410])('no more after its push service answered %s', async status => {
    const [user, service] = [await market.user(`gone-${status}`), await startPushService()]
    await user.client.post('/v1/notices/devices', service.subscription)
    service.answer([status])
    await hire(user)
    await until('the end of the device', async () => (await notices(user)).devices.length === 0)
    expect(service.asked()).toBe(1)
  })

  test('when an agent offers what its user searched for in vain', async () => {
    const [user, service] = [await market.user('waiting'), await startPushService()]
    await user.client.post('/v1/notices/devices', service.subscription)
    await user.client.post('/v1/searches', { text: 'Tune a harpsichord' })
    expect(await searches(user)).toMatchObject([{ text: 'Tune a harpsichord', found_at: null }])
    await market.agent({
      handle: 'tuner',
      offerings: [{ id: 'tune', name: 'Tune a harpsichord', description: 'Tunes a harpsichord.', price: '0.10', slaMinutes: 5 }],
      handler: async () => 'tuned',
    })
    await untilFindable(market.url, 'Tune a harpsichord', 'tuner')
    pass('outbox:index')
    const [first] = await until('the push', async () => service.taken.length > 0 && service.taken)
    expect(first?.notice).toMatchObject({ title: 'Somebody does it now', url: '/app/me' })
    expect(JSON.stringify(first?.notice)).not.toContain('harpsichord')
    expect((await searches(user))[0]?.found_at).not.toBeNull()
  })
})

describe('an address of a browser', () => {
  const good = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) }
  test.each(['ftp://push.example/x', 'https://user:pass@push.example/x', 'https://push.example:22/x', 'not a url'])(
    'is refused as %s',
    async endpoint => {
      const { token } = await market.user('odd')
      expect(await post(market.url, '/v1/notices/devices', { endpoint, keys: good }, token)).toMatchObject({
        status: 422,
        code: 'endpoint-not-allowed',
      })
    },
  )

  test('is refused where private networks are closed', async () => {
    const closed = await startTestService({ env: { ALLOW_PRIVATE_ENDPOINTS: 'false' } })
    try {
      const { token } = await closed.user('odd')
      const hosts = ['127.0.0.1', '[::1]', '10.1.2.3', '169.254.169.254', 'localhost'].map(it => `https://${it}/x`)
      for (const endpoint of ['http://push.example/x', ...hosts]) {
        const asked = await post(closed.url, '/v1/notices/devices', { endpoint, keys: good }, token)
        expect(asked, endpoint).toMatchObject({ status: 422, code: 'endpoint-not-allowed' })
      }
    } finally {
      await closed.stop()
    }
  })

  test('belongs to its user: others neither see nor end it, and strangers get nothing', async () => {
    const [owner, other, service] = [await market.user('owner'), await market.user('other'), await startPushService()]
    const { device_id } = device.parse(await owner.client.post('/v1/notices/devices', service.subscription))
    expect((await notices(other)).devices).toEqual([])
    const path = `/v1/notices/devices/${device_id}`
    const asOther = { authorization: `Bearer ${other.token}` }
    expect(await send(market.url, { method: 'DELETE', path, headers: asOther })).toMatchObject({ status: 404 })
    expect(await send(market.url, { method: 'DELETE', path })).toMatchObject({ status: 401 })
    await owner.client.delete(path)
    expect((await notices(owner)).devices).toEqual([])
  })

  test('is kept for the newest browsers of a user alone', async () => {
    const [user, service] = [await market.user('many'), await startPushService()]
    for (let at = 0; at < limits.noticeDevices + 2; at += 1)
      await user.client.post('/v1/notices/devices', {
        ...service.subscription,
        endpoint: `${service.subscription.endpoint}${at}`,
      })
    expect((await notices(user)).devices).toHaveLength(limits.noticeDevices)
  })
})

test('a user keeps so many searches, each once, and ends their own alone', async () => {
  const [user, other] = [await market.user('seeker'), await market.user('nosy')]
  for (let at = 0; at < limits.savedSearches; at += 1) await user.client.post('/v1/searches', { text: `Find the thing ${at}` })
  await user.client.post('/v1/searches', { text: 'Find the thing 0' })
  expect(await searches(user)).toHaveLength(limits.savedSearches)
  expect(await post(market.url, '/v1/searches', { text: 'One more' }, user.token)).toMatchObject({ code: 'too-many-kept' })
  const { search_id } = search.parse((await searches(user))[0])
  const headers = { authorization: `Bearer ${other.token}` }
  expect(await send(market.url, { method: 'DELETE', path: `/v1/searches/${search_id}`, headers })).toMatchObject({ status: 404 })
  await user.client.delete(`/v1/searches/${search_id}`)
  expect(await searches(user)).toHaveLength(limits.savedSearches - 1)
})
