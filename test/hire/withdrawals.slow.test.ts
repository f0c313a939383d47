import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listWithdrawals } from '../../src/operations/withdrawals/withdraw.ts'
import { withdrawalRecord } from '../../src/records/withdrawal.ts'
import { readDocument } from '../http/promised.ts'
import { get } from '../http/wire.ts'
import { startTestService, type TestService, type User, until } from '../service.ts'
import { ask, balancesOf, plain, provider, rested, talk } from './market.ts'

let market: TestService
let promised: Awaited<ReturnType<typeof readDocument>>
beforeAll(async () => {
  market = await startTestService({ env: { LOG_LEVEL: 'silent' } })
  promised = await readDocument(market.url)
})
afterAll(() => market?.stop())

const withdraw = ({ token }: User, body: Record<string, unknown> = {}, key?: string) =>
  ask(market, '/v1/withdrawals', { headers: { authorization: `Bearer ${token}`, ...(key && { 'idempotency-key': key }) }, body })
const withdrawn = async (user: User, body: Record<string, unknown> = {}, key?: string) => {
  const { status, body: json } = await withdraw(user, body, key)
  return promised('post /v1/withdrawals', withdrawalRecord, { status, json })
}
const withdrawalsOf = async ({ token }: User) =>
  promised('get /v1/withdrawals', listWithdrawals.output, await get(market.url, '/v1/withdrawals', token)).withdrawals
const done = (user: User, id: string) =>
  until(`${id} to be done`, async () =>
    (await withdrawalsOf(user)).find(it => it.withdrawal_id === id && it.status !== 'pending'),
  )

test('only the provider can withdraw the pay of the agent, to the provider’s own wallet', async () => {
  const agent = await provider(market, plain('0.4'), 'earner')
  const [owner, buyer] = [await market.user('owner-earner'), await market.user('buyer')]
  const { say } = talk(buyer)
  await say('Hire agent earner to write a haiku', 20_000)
  const { run_id } = await say('yes', 0)
  await agent.deliver((await agent.take()).job_id, 'frog')
  expect(await rested(buyer, run_id)).toMatchObject({ state: 'completed' })

  expect(await withdraw(buyer, { agent_id: agent.agentId })).toMatchObject({ status: 404, code: 'agent-not-found' })
  expect(await ask(market, '/v1/withdrawals', { body: { agent_id: agent.agentId } })).toMatchObject({ status: 401 })
  const { withdrawal_id, ...asked } = await withdrawn(owner, { agent_id: agent.agentId })
  expect(asked).toMatchObject({ from: agent.wallet, to: owner.wallet, amount: '0.4', chain_id: 97, status: 'pending' })
  expect(await done(owner, withdrawal_id)).toMatchObject({ status: 'done', tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  expect(await balancesOf(owner, { own: owner.wallet, agent: agent.wallet })).toMatchObject({ own: 0.4, agent: 0, user: 25 })
  expect(await withdraw(owner, { agent_id: agent.agentId })).toMatchObject({ status: 402, code: 'insufficient-funds' })
  expect(await withdrawalsOf(buyer)).toEqual([])
})

test('a user withdraws a part or all of the proxy wallet, and the same request again withdraws nothing more', async () => {
  const user = await market.user('saver')
  const key = randomUUID()
  const part = await withdrawn(user, { amount: '5.5' }, key)
  expect(part).toMatchObject({ from: user.proxy, to: user.wallet, amount: '5.5' })
  await done(user, part.withdrawal_id)
  expect(await withdrawn(user, { amount: '5.5' }, key)).toMatchObject({ withdrawal_id: part.withdrawal_id, status: 'done' })
  expect(await withdraw(user, { amount: '6' }, key)).toMatchObject({ status: 409, code: 'idempotency-conflict' })
  expect(await balancesOf(user, { own: user.wallet })).toMatchObject({ user: 19.5, own: 5.5 })

  for (const amount of ['0', '-1', 'all', '0.0000001']) expect(await withdraw(user, { amount })).toMatchObject({ status: 422 })
  expect(await withdraw(user, { amount: '19.500001' })).toMatchObject({ status: 402, code: 'insufficient-funds' })
  const rest = await withdrawn(user)
  expect(rest.amount).toBe('19.5')
  await done(user, rest.withdrawal_id)
  expect(await balancesOf(user, { own: user.wallet })).toMatchObject({ user: 0, own: 25 })
  expect((await withdrawalsOf(user)).map(it => it.amount)).toEqual(['19.5', '5.5'])
})

test('of concurrent withdrawals one succeeds', async () => {
  const user = await market.user('hasty')
  const asked = await Promise.all(Array.from({ length: 5 }, () => withdraw(user, { amount: '20' })))
  expect(asked.map(it => it.status).toSorted()).toEqual([201, 409, 409, 409, 409])
  expect(asked.find(it => it.status === 409)).toMatchObject({ code: 'withdrawal-pending' })
  const [only] = await withdrawalsOf(user)
  expect(await done(user, only?.withdrawal_id ?? '')).toMatchObject({ status: 'done' })
  expect(await balancesOf(user, { own: user.wallet })).toMatchObject({ user: 5, own: 20 })
})

test('a withdrawal with an unknown or a null member sends nothing, and the answer names the member', async () => {
  const user = await market.user('misspelt')
  const before = await balancesOf(user)
  for (const [body, pointer] of [
    [{ amout: '1' }, '/amout'],
    [{ amount: null }, '/amount'],
    [{ amount: '1', receiver: user.wallet }, '/receiver'],
    [{ amount: '1', fee: '0' }, '/fee'],
  ] as const)
    expect(await withdraw(user, body)).toMatchObject({ status: 422, body: { pointer, detail: expect.stringContaining(pointer) } })
  expect((await withdraw(user, { amout: '1' })).body).toMatchObject({ detail: expect.stringContaining('did you mean amount?') })
  expect([await withdrawalsOf(user), await balancesOf(user)]).toEqual([[], before])
})

test('whatever moves money or allows it refuses a member that it does not know', async () => {
  const user = await market.user('strange')
  const budget = { max_per_job: '1', max_per_period: '1', period: 'day' }
  const bodies: [string, Record<string, unknown>, string][] = [
    ['/v1/mandates', { ...budget, ask_abov: '0.1' }, '/ask_abov'],
    ['/v1/mandates', { ...budget, ask_above: null }, '/ask_above'],
    ['/v1/mandates', { ...budget, categories: null }, '/categories'],
    ['/v1/purchases', { url: `${market.url}/health`, maximum: '0.01' }, '/maximum'],
    ['/v1/purchases', { url: `${market.url}/health`, max: null }, '/max'],
    ['/agents/x/token', { name: 'Hats', symbol: 'HATS', virtual_reserve: '1' }, '/virtual_reserve'],
    ['/tokens/x/trades', { digest: 'a'.repeat(32), amount: '1' }, '/amount'],
    ['/tokens/x/quotes', { side: 'buy', amount: '1', slippage: 1 }, '/slippage'],
  ]
  for (const [path, body, pointer] of bodies) {
    const answer = await ask({ url: market.url, token: user.token }, path, { body })
    expect([path, answer]).toMatchObject([path, { status: 422, body: { pointer } }])
  }
  expect(await get(market.url, '/v1/mandates', user.token)).toMatchObject({ json: { mandates: [] } })
})
