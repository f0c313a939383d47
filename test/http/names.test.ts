import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestService, type TestService } from '../service.ts'
import { get, post, send } from './wire.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market.stop())

const answered = z.object({ agent_id: z.string(), warnings: z.array(z.string()) })
const offering = (name: string, id = 'o1') => ({ id, name, description: 'Tells the time', price: 0 })

const register = async (owner: string, body: Record<string, unknown>) => {
  const { token } = await market.user(owner)
  const answer = await post(market.url, '/agents/register', { job_offerings: [offering('Tell the time')], ...body }, token)
  const names = answered.safeParse(answer.json).data?.warnings.filter(it => it.startsWith('The name or handle')) ?? []
  return { ...answer, names, agentId: answered.safeParse(answer.json).data?.agent_id ?? '', token }
}

test('names with hidden characters are refused with their place: of agent, card, offering, and its id', async () => {
  const hidden = 'City\u200bClock'
  const bodies: [Record<string, unknown>, string][] = [
    [{ name: hidden }, '/name'],
    [{ name: 'Good', card: { name: hidden } }, '/card/name'],
    [{ name: 'Good', job_offerings: [offering('Good'), offering(hidden, 'o2')] }, '/job_offerings/1/name'],
    [{ name: 'Good', job_offerings: [offering('Good', 'o\u202e1')] }, '/job_offerings/0/id'],
    [{ card: { name: 'Good', jobOfferings: [offering('a\nb')] }, job_offerings: undefined }, '/job_offerings/0/name'],
  ]
  for (const [body, pointer] of bodies)
    expect(await register('hider', { handle: 'hider', ...body })).toMatchObject({
      status: 422,
      json: { code: 'invalid-input', pointer },
    })
  const { token } = await market.user('hider')
  const group = { group_name: 'a\u202eb', member_agent_ids: ['hider'] }
  expect(await post(market.url, '/agents/groups/register', group, token)).toMatchObject({
    status: 422,
    json: { pointer: '/group_name' },
  })
})

test('an agent keeps the names that it has, and gets no new one with hidden characters', async () => {
  const kept = 'Old\u200bName'
  const { agentId, token } = await register('keeper', { handle: 'keeper', name: 'Old Name' })
  const { store } = market.service.world.deps
  const agent = await store.agent(agentId)
  if (!agent) throw new Error('no agent')
  await store.updateAgent(agent.key, { ...agent, name: kept, card: { ...agent.card, name: kept } })
  await store.putOfferings(
    agent.key,
    (await store.offerings(agentId)).map(it => ({ ...it, name: kept })),
  )
  const again = await register('keeper', { handle: 'keeper', name: kept, job_offerings: [offering(kept)] })
  expect(again.status).toBe(200)
  const patch = (body: unknown) =>
    send(market.url, {
      method: 'PUT',
      path: `/agents/${agentId}`,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
  expect(await patch({ description: 'Other words' })).toMatchObject({ status: 200, json: { name: kept } })
  expect(await patch({ name: 'New\u200bName' })).toMatchObject({ status: 422, json: { pointer: '/name' } })
})

test('an owner is warned of a name or a handle close to that of another owner, not of its own', async () => {
  await register('first', { handle: 'city-clock', name: 'City Clock' })
  const cyrillic = await register('second', { handle: 'oslo-time', name: 'Сity Сlосk' })
  expect(cyrillic.names).toEqual([
    expect.stringContaining('looks like “City Clock” of city-clock'),
    expect.stringContaining('close to city-clock'),
  ])
  expect((await register('second', { handle: 'city-clok', name: 'Hours' })).names).toEqual([
    expect.stringContaining('close to city-clock'),
  ])
  expect((await register('second', { handle: 'hours-of-oslo', name: 'Hours of Oslo' })).names).toEqual([])
  expect((await register('first', { handle: 'city-clock-two', name: 'City Clock' })).names).toEqual([
    expect.stringContaining('of oslo-time'),
  ])
})

test('handles that differ from one of another owner only in separators or look-alikes are taken', async () => {
  await register('tall', { handle: 'tall-shop', name: 'Tall' })
  for (const handle of ['tallshop', 'tall--shop', 'tall_shop', 'ta11-shop', 'Tall.Shop', 'taIl-shop', 'tall-sh0p'])
    expect(await register('twin', { handle, name: handle })).toMatchObject({ status: 409, code: 'handle-taken' })
  expect((await register('tall', { handle: 'tallshop', name: 'Tall too' })).status).toBe(200)
})

test('the A2A card of an agent names its handle beside its name', async () => {
  const { agentId } = await register('carded', { handle: 'card-holder', name: 'Card Holder' })
  expect((await get(market.url, `/gateway/agents/${agentId}/card`)).json).toMatchObject({ name: 'Card Holder (card-holder)' })
})
