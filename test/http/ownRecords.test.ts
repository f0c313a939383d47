import { afterAll, beforeAll, expect, test } from 'vitest'
import { deletedRecords, ownRecords } from '../../src/records/ownRecords.ts'
import { rested, talk } from '../hire/market.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { get, post, untilFindable } from './wire.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
  await market.agent({
    handle: 'poet',
    offerings: [{ id: 'ode', name: 'Write an ode', description: 'Writes an ode about a topic.', price: '0.02', slaMinutes: 5 }],
    handler: async () => 'An ode by a poet',
  })
  await untilFindable(market.url, 'Write an ode', 'poet')
})
afterAll(() => market.stop())

const hire = async (user: User, about: string) => {
  const { say } = talk(user)
  const { data } = await say(`Hire agent poet to write an ode about ${about}`)
  await say('yes', 0)
  return rested(user, data.run_id)
}
const copyOf = async ({ client }: User, query = '') => ownRecords.parse(await client.get(`/v1/own-records${query}`))

test('a person gets a copy of all that was said and delivered, page by page, and nobody else does', async () => {
  const [user, other] = [await market.user('copied'), await market.user('reader')]
  const [one, two] = [await hire(user, 'autumn leaves'), await hire(user, 'winter snow')]
  const copy = await copyOf(user)
  expect(copy.runs.map(it => it.run_id)).toEqual([two.run_id, one.run_id])
  expect(JSON.stringify(copy.runs)).toMatch(/winter snow.*An ode by a poet.*autumn leaves/)
  const first = await copyOf(user, '?limit=1')
  expect([first.runs[0]?.run_id, first.next]).toEqual([two.run_id, 1])
  expect((await copyOf(user, '?limit=1&offset=1')).runs.map(it => it.run_id)).toEqual([one.run_id])
  expect((await copyOf(other)).runs).toEqual([])
  expect((await get(market.url, '/v1/own-records')).status).toBe(401)
})

test('a person deletes it, except what money and open jobs need, and the answer says what stays', async () => {
  const [user, other] = [await market.user('deleter'), await market.user('neighbour')]
  await hire(other, 'a fence')
  await hire(user, 'a secret garden')
  const { data } = await talk(user).say('Write an ode about a second garden')
  expect(await post(market.url, '/v1/own-records/delete', { confirm: 'yes' }, user.token)).toMatchObject({ status: 422 })
  const gone = deletedRecords.parse(await user.client.post('/v1/own-records/delete', { confirm: 'delete my data' }))
  // The paid run is emptied as soon as its last transaction is mined and its feedback is written.
  expect([gone.deleted_runs, gone.emptied_runs + gone.open_runs]).toEqual([1, 1])
  expect(gone.stays.join(' ')).toMatch(/chain.*wallet/is)
  expect((await get(market.url, `/runs/${data.run_id}`, user.token)).status).toBe(404)
  expect(JSON.stringify(await user.client.get('/conversations'))).not.toContain('second garden')
  expect(JSON.stringify(await user.client.get('/v1/wallets/me'))).toContain('24.98')
  expect(JSON.stringify(await other.client.get('/conversations'))).toContain('a fence')
})
