import { compactVerify, decodeProtectedHeader, importJWK } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sha256 } from '../../src/domain/json.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { ask, plain, talk } from './market.ts'

let market: TestService
let user: User
beforeAll(async () => {
  market = await startTestService()
  user = await market.user('buyer')
  await market.agent({ handle: 'poet', offerings: [plain('0.5')], handler: () => 'Snow on the old roof' })
})
afterAll(() => market?.stop())

const answer = z.object({ receipt: z.string(), keys: z.array(z.looseObject({ kid: z.string() })) })

const statement = z.looseObject({
  ...{ version: z.number(), network: z.string(), payer: z.string(), resourceUrl: z.string(), transaction: z.string() },
  market: z.looseObject({
    ...{ digest: z.string(), deliverable_hash: z.string(), verdict: z.object({ pass: z.boolean(), attempt: z.number() }) },
    transactions: z.array(z.looseObject({ type: z.string(), amount: z.string(), transaction: z.string() })),
  }),
})

test('the receipt of a hire is signed, names digest, verdict, hashes and transactions, and is for its user only', async () => {
  const { say } = talk(user)
  const proposed = await say('Write a haiku about winter')
  const unpaid = { url: market.url, token: user.token }
  expect((await ask(unpaid, `/runs/${proposed.run_id}/receipt`)).status).toBe(404)
  const done = await say('yes')
  const { receipt, keys } = answer.parse(await user.client.get(`/runs/${done.run_id}/receipt`))
  const { kid = '' } = decodeProtectedHeader(receipt)
  const key = keys.find(it => kid.endsWith(`#${it.kid}`))
  const { payload } = await compactVerify(receipt, await importJWK(key ?? {}, 'ES256'))
  const { market: own, ...paid } = statement.parse(JSON.parse(new TextDecoder().decode(payload)))
  expect(paid).toMatchObject({ version: 1, network: 'eip155:97', payer: user.proxy.toLowerCase() })
  expect([paid.resourceUrl, paid.transaction]).toEqual([`${market.url}/runs/${done.run_id}`, own.transactions[1]?.transaction])
  expect([own.digest, own.verdict]).toEqual([proposed.data.proposal?.digest, { pass: true, attempt: 1 }])
  expect(own.deliverable_hash).toBe(sha256('Snow on the old roof'))
  expect(own.transactions.map(it => [it.type, it.amount])).toEqual([
    ['escrow', '0.5'],
    ['payout', '0.5'],
  ])
  const stranger = await market.user('stranger')
  const asked = await ask({ url: market.url, token: stranger.token }, `/runs/${done.run_id}/receipt`)
  expect(asked.status).toBe(404)
})
