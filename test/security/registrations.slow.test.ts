import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '../../src/domain/limits.ts'
import { registrationMessage } from '../../src/domain/net/wireTexts.ts'
import { plain, provider } from '../hire/market.ts'
import { get, post } from '../http/wire.ts'
import { freshAccount } from '../identity/wallets.ts'
import { startTestService, type TestService } from '../service.ts'
import { countUp } from '../store/rows.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService({ env: { RATE_LIMIT: '0' } })
})
afterAll(() => market.stop())

let made = 0
const register = (rest: object, token?: string) =>
  post(market.url, '/agents/register', { handle: `agent-${++made}`, chain_id: 97, ...rest }, token)
test('on the embedded chain one wallet registers many agents, by token and by bare signature', async () => {
  const { token } = await market.user('tinker')
  const account = freshAccount()
  const signature = await account.signMessage({ message: registrationMessage })
  const signed = { user_id: account.address, message: registrationMessage, signature }
  const answers = await Promise.all(countUp(25).flatMap(() => [register({}, token), register(signed)]))
  expect(answers.map(it => it.status)).toEqual(answers.map(() => 200))
})

test('a wallet that registers many agents at once does not make another wallet wait for all of them', async () => {
  const [many, one] = [await market.user('crowd'), await market.user('single')]
  const registrations = 160
  let done = 0
  const crowd = countUp(registrations).map(async () => {
    const { status } = await register({}, many.token)
    done += 1
    return status
  })
  await get(market.url, '/health')
  expect(await register({}, one.token)).toMatchObject({ status: 200 })
  expect(done).toBeLessThanOrEqual(registrations - limits.registrationsAtOnce)
  expect(await Promise.all(crowd)).toEqual(crowd.map(() => 200))
})

test('RATE_LIMIT=0 lets an agent poll as often as it likes', async () => {
  const { agentId } = await provider(market, plain('0'))
  const polled = await Promise.all(countUp(1_000).map(() => get(market.url, `/gateway/jobs/poll?agent=${agentId}&timeout=0`)))
  expect(new Set(polled.map(it => it.status))).toEqual(new Set([200]))
})
