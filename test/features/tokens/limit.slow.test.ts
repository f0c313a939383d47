import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { plain, provider } from '../../hire/market.ts'
import { get, post } from '../../http/wire.ts'
import { startTestService, type TestService } from '../../service.ts'
import { agree, challengeOf, createPerson, request } from '../passkeys/authenticator.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService({ env: { LOG_LEVEL: 'silent' } })
  await provider(market, plain('0.1'), 'coiner')
  const { token } = await market.user('owner-coiner')
  expect(await post(market.url, '/agents/coiner/token', { name: 'Coiner', symbol: 'COIN' }, token)).toMatchObject({ status: 201 })
})
afterAll(() => market?.stop())

const digested = z.object({ digest: z.string() })
const circulating = async () =>
  z.object({ circulating: z.string() }).parse((await get(market.url, '/tokens/coiner')).json).circulating

test('a purchase of tokens above the limit of a person needs their passkey, for exactly its quote; a sale and a small one need none', async () => {
  const person = createPerson(market.url)
  const { token } = await person.signUp()
  const limit = (usdc: string) => request(market.url, { method: 'PUT', path: '/v1/yes-limit', body: { usdc }, token })
  const quote = async (side: string, amount: string) => {
    const told = await post(market.url, '/tokens/coiner/quotes', { chain_id: 97, side, amount }, token)
    return { path: '/tokens/coiner/trades', body: { chain_id: 97, digest: digested.parse(told.json).digest }, token }
  }
  expect(await limit('2')).toMatchObject({ status: 200 })
  const [large, other] = [await quote('buy', '3'), await quote('buy', '4')]
  const answer = person.passkey.sign(await challengeOf(market.url, other), 1)
  expect(await request(market.url, { ...large, answer })).toMatchObject({ status: 401, code: 'signature-mismatch' })
  expect(await circulating()).toBe('0')
  const bought = await agree(market.url, large, { passkey: person.passkey, counter: 2 })
  expect(bought).toMatchObject({ status: 200, json: { status: 'done' } })
  // The yes is recorded, so the same request is answered without another signature.
  expect(await request(market.url, large)).toMatchObject({ status: 200, json: { status: 'done' } })
  expect(await request(market.url, await quote('buy', '2'))).toMatchObject({ status: 200, json: { status: 'done' } })
  const { received } = z.object({ received: z.string() }).parse(bought.json)
  expect(await request(market.url, await quote('sell', received))).toMatchObject({ status: 200, json: { status: 'done' } })
})
