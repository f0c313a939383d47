import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { marksRecord } from '../../../src/records/mark.ts'
import { ownRecords } from '../../../src/records/ownRecords.ts'
import { readRun, rested, talk } from '../../hire/market.ts'
import { get, post, send, untilFindable } from '../../http/wire.ts'
import { startTestService, type TestService, type User } from '../../service.ts'

const hits = z.object({ offerings: z.array(z.object({ agent_handle: z.string() })) })

let market: TestService
const ids = new Map<string, string>()
beforeAll(async () => {
  market = await startTestService({ env: { OPERATOR_TOKEN: 'operator-token-of-this-test-0123456789' } })
  for (const handle of ['poet', 'bard']) {
    const agent = await market.agent({
      handle,
      offerings: [{ id: 'ode', name: 'Write an ode', description: 'Writes an ode about a topic.', price: '0.02', slaMinutes: 5 }],
      handler: async () => `An ode by ${handle}`,
    })
    await untilFindable(market.url, 'Write an ode', handle)
    ids.set(handle, z.object({ agent_id: z.string() }).parse((await get(market.url, `/agents/handle/${handle}`)).json).agent_id)
    expect(agent).toBeDefined()
  }
})
afterAll(() => market.stop())

const mark = ({ client }: User, handle: string, as: 'favourite' | 'blocked') => client.put(`/v1/marks/${handle}`, { mark: as })
const marks = async ({ client }: User) => marksRecord.parse(await client.get('/v1/marks')).marks
const found = async ({ client }: User) =>
  hits.parse(await client.get('/offerings/search?query=Write%20an%20ode')).offerings.map(it => it.agent_handle)

/** Hires an agent by name and waits for the end. */
const hire = async (user: User, handle: string, about = 'the sea') => {
  const { say } = talk(user)
  const { data } = await say(`Hire agent ${handle} to write an ode about ${about}`)
  await say('yes', 0)
  return rested(user, data.run_id)
}

describe('a blocked agent', () => {
  test('is not found, proposed or named for its user, and stays as it was for others', async () => {
    const [user, other] = [await market.user('blocker'), await market.user('friend')]
    await mark(user, 'poet', 'blocked')
    expect(await found(user)).toEqual(['bard'])
    expect((await found(other)).sort()).toEqual(['bard', 'poet'])
    const { data } = await talk(user).say('Write an ode about the sea')
    const { proposal } = await readRun(user, data.run_id)
    expect(proposal).toMatchObject({ agentHandle: 'bard' })
    expect(JSON.stringify(proposal)).not.toContain('poet')
    const named = await talk(user).say('Hire agent poet to write an ode about the sea')
    expect((await readRun(user, named.data.run_id)).proposal?.agentHandle).not.toBe('poet')
    expect((await hire(other, 'poet')).job?.state).toBe('settled')
  })

  test('is named with the way back where nobody else does the task', async () => {
    const user = await market.user('alone')
    for (const handle of ['poet', 'bard']) await mark(user, handle, 'blocked')
    const { content } = await talk(user).say('Write an ode about the sea')
    expect(content).toMatch(/“Write an ode” by (poet|bard) may do it, but you blocked that agent\./)
    expect(content).toMatch(/`market mark (poet|bard) none`/)
  })

  test('is not hired although its proposal was open before, and no money moves', async () => {
    const user = await market.user('late')
    const { say } = talk(user)
    const { data } = await say('Hire agent poet to write an ode about the sea')
    await mark(user, 'poet', 'blocked')
    await say('yes', 0)
    const run = await rested(user, data.run_id)
    expect(run.job).toBeUndefined()
    expect(JSON.stringify(await user.client.get('/v1/wallets/me'))).toContain('"usdc":"25"')
  })

  test('is not hired under a mandate', async () => {
    const user = await market.user('mandated')
    await user.client.post('/v1/mandates', { max_per_job: '1', max_per_period: '5', period: 'week' })
    await mark(user, 'poet', 'blocked')
    const { data } = await talk(user).say('Hire agent poet to write an ode about the sea', 0)
    const run = await rested(user, data.run_id)
    expect(run.job?.agent_id).not.toBe(ids.get('poet'))
  })

  test('can be hired again after its user let it go', async () => {
    const user = await market.user('forgiving')
    await mark(user, 'poet', 'blocked')
    await user.client.delete('/v1/marks/poet')
    expect(await marks(user)).toEqual([])
    expect((await hire(user, 'poet')).job?.state).toBe('settled')
  })
})

test('a mark is of its user alone, and one agent has one', async () => {
  const [user, other] = [await market.user('marker'), await market.user('nosy')]
  await mark(user, 'poet', 'blocked')
  await mark(user, 'poet', 'favourite')
  expect(await marks(user)).toMatchObject([{ agent_handle: 'poet', mark: 'favourite' }])
  expect(await marks(other)).toEqual([])
  const headers = { authorization: `Bearer ${other.token}` }
  expect((await send(market.url, { method: 'DELETE', path: '/v1/marks/poet', headers })).status).toBe(404)
  expect((await send(market.url, { method: 'DELETE', path: '/v1/marks/poet' })).status).toBe(401)
})

test('a report reaches the operator once, without the name of who wrote it', async () => {
  const user = await market.user('reporter')
  for (const words of ['It copies', 'It copies my poems'])
    await user.client.post('/v1/reports', { agent_id: 'bard', reason: 'copied', words })
  const headers = { authorization: 'Bearer operator-token-of-this-test-0123456789' }
  const { json, text } = await send(market.url, { path: '/operator/state', headers })
  expect(json).toMatchObject({ reports: [{ agent_id: ids.get('bard'), reason: 'copied', words: 'It copies my poems' }] })
  expect(text).not.toContain(user.wallet)
  expect(await post(market.url, '/v1/reports', { agent_id: 'nobody', reason: 'fraud' }, user.token)).toMatchObject({
    status: 404,
  })
})

test('marks are in the copy of a person’s data, and go with its deletion', async () => {
  const user = await market.user('leaver')
  await mark(user, 'bard', 'favourite')
  expect(ownRecords.parse(await user.client.get('/v1/own-records')).kept.marks).toMatchObject([{ mark: 'favourite' }])
  await user.client.post('/v1/own-records/delete', { confirm: 'delete my data' })
  expect(await marks(user)).toEqual([])
})
