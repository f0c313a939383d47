import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invokeOutput } from '../../src/operations/messages/invoke.ts'
import { startTestService, type TestService, type User, until } from '../service.ts'
import { ask, balancesOf, readRun, rested, talk } from './market.ts'
import { startModelServer } from './modelServer.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
  await market.cityClock()
})
afterAll(() => market?.stop())

const clockTask = 'What time is it in Tokyo?'
const at = (user: User) => ({ ...market, ...user })

test('the same edit sent twice at once is one proposal: with one key it has one answer, with two keys the second is refused', async () => {
  const user = await market.user('editor')
  const { say, conversationId } = talk(user)
  const { run_id, data } = await say(clockTask)
  const edit = (key: string) =>
    ask(at(user), '/invoke', {
      headers: { 'idempotency-key': key },
      body: { message: 'city: Lima', digest: data.proposal?.digest, conversation_id: conversationId },
    })
  const key = randomUUID()
  const answers = await Promise.all([edit(key), edit(key), edit(randomUUID())])
  expect(answers.map(it => it.status).sort()).toEqual([200, 200, 409])
  const taken = answers.filter(it => it.status === 200).map(it => invokeOutput.parse(it.body))
  expect(taken.map(it => it.run_id)).toEqual([run_id, run_id])
  expect(taken[0]?.data.proposal?.input).toBe('{"city":"Lima"}')
  const runs = await user.client.get(`/users/${user.wallet}/runs?limit=20`)
  expect(JSON.stringify(runs).match(/"run_id"/g)).toHaveLength(1)
})

test('a message about terms that are gone is refused, and starts no other run', async () => {
  const user = await market.user('late')
  const { say, conversationId } = talk(user)
  const { data } = await say(clockTask)
  await say('no thanks')
  const late = { message: 'city: Lima', digest: data.proposal?.digest, conversation_id: conversationId }
  expect(await ask(at(user), '/invoke', { body: late })).toMatchObject({ status: 409, code: 'proposal-changed' })
})

test.each([
  ['a hire', clockTask],
  ['a plan', 'What time is it in Tokyo and in Lima?'],
])('a yes in a conversation that was deleted hires nothing: %s', async (_, task) => {
  const user = await market.user('tidy')
  const { say, conversationId } = talk(user)
  const before = await balancesOf(user)
  const { run_id, data } = await say(task)
  expect((data.proposal ?? data.plan)?.digest).toBeTruthy()
  expect(await user.client.delete(`/conversations/${conversationId}`)).toEqual({ deleted: true })
  expect((await say('yes')).data.state).toBe('completed')
  const digest = (data.proposal ?? data.plan)?.digest
  await ask(at(user), `/v1/hires/${run_id}/confirm`, { body: { digest, decision: 'yes' } })
  const { state, job } = await readRun(user, run_id)
  expect([state, job]).toEqual(['completed', undefined])
  expect(await balancesOf(user)).toEqual(before)
})

test('of two proposals for one task only one can be accepted, by every door', async () => {
  const both = Promise.withResolvers<void>()
  let waiting = 0
  // The model answers when both runs wait for it, so that neither message finds the proposal of the other.
  const model = await startModelServer({
    answer: async () => {
      waiting += 1
      if (waiting === 2) both.resolve()
      await both.promise
      return { calls: [{ tool: 'propose_hire', language: 'en', candidates: [0], task: '', input: { city: 'Lima' } }] }
    },
  })
  const slow = await startTestService({ env: { MODEL_BASE_URL: model.baseUrl, MODEL: 'scripted' } })
  await slow.cityClock()
  const user = await slow.user('doubled')
  const before = await balancesOf(user)
  const conversation_id = randomUUID()
  const call = async () => {
    const message = 'What time is it in Lima?'
    const { run_id } = invokeOutput.parse(
      await user.client.post('/invoke', { agent: 'city-clock', message, conversation_id, wait_ms: 0 }),
    )
    return run_id
  }
  const [first, second] = [await call(), await call()]
  const older = await until('the replaced run to end', async () => {
    const run = await readRun(user, first)
    return run.state === 'completed' && run
  })
  expect(older.content).toContain('A newer proposal took the place of this one.')
  const open = await rested(user, second)
  expect(open).toMatchObject({ state: 'awaiting-confirmation', proposal: { input: '{"city":"Lima"}' } })
  const digest = open.proposal?.digest ?? ''
  const confirm = (id: string) =>
    ask({ ...slow, ...user }, `/v1/hires/${id}/confirm`, { body: { digest, decision: 'yes', wait_ms: 0 } })
  expect(await confirm(first)).toMatchObject({ status: 409, code: 'proposal-changed' })
  expect(await confirm(second)).toMatchObject({ status: 200 })
  expect(await confirm(first)).toMatchObject({ status: 409, code: 'proposal-changed' })
  await rested(user, second)
  await talk(user, conversation_id).say('yes')
  expect((await balancesOf(user)).user).toBe(before.user - 0.05)
  await slow.stop()
  await model.close()
})
