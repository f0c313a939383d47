import { decodeFunctionData, decodeFunctionResult, encodeFunctionData, keccak256, stringToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { reputationRegistryAbi as abi } from '../../src/chain/contracts/artifacts/ReputationRegistry.ts'
import { parseAgentId } from '../../src/domain/agents/agentId.ts'
import type { Address } from '../../src/domain/hex.ts'
import { get, post } from '../http/wire.ts'
import { startTestService, type TestService, type User, until } from '../service.ts'
import { asksForPoem, balancesOf, eventsOf, hirePoet, lacking, paymentsOf, plain, provider, readRun } from './market.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

/** The feedback summary of an agent by one client, read from the registry on the chain. */
const summaryOf = async (agentId: string, client: Address) => {
  const chain = market.service.world.deps.chains.get(97)
  if (!chain?.ask) throw new Error('no chain')
  const number = parseAgentId(agentId)?.number ?? 0n
  const asked = encodeFunctionData({ abi, functionName: 'getSummary', args: [number, [client], '', ''] })
  const data = await chain.ask(chain.addresses.reputation, asked)
  const [count, value] = decodeFunctionResult({ abi, functionName: 'getSummary', data: data ?? '0x' })
  return { count, value }
}
const address = z.custom<Address>(it => typeof it === 'string')
const intentOf = (jobId: string) => market.service.world.deps.store.intent(`job:${jobId}:feedback`)
const confirmed = (jobId: string) =>
  until('the feedback to be mined', async () => {
    const intent = await intentOf(jobId)
    return intent?.state === 'confirmed' ? intent : undefined
  })

test('after a hire the registry has one feedback from the client’s wallet, and its file proves the payment', async () => {
  const ada = await market.user('ada')
  const poet = await provider(market, plain('0.5'))
  const { runId, jobId } = await hirePoet(ada, poet, ['An old silent pond'])
  const { call } = await confirmed(jobId)
  expect(await summaryOf(poet.agentId, address.parse(ada.proxy))).toEqual({ count: 1n, value: 100n })

  const { args } = decodeFunctionData({ abi, data: call.data })
  const [, , , tag1, tag2, , uri, hash] = z.array(z.unknown()).parse(args)
  expect([tag1, tag2]).toEqual(['hire', 'accepted'])
  expect(uri).toBe(`${market.url}/jobs/${jobId}/feedback.json`)
  const { text, json } = await get(market.url, `/jobs/${jobId}/feedback.json`)
  expect(keccak256(stringToHex(text))).toBe(hash)
  const payout = (await paymentsOf(ada, runId)).find(it => it.type === 'payout')
  expect(json).toMatchObject({
    clientAddress: `eip155:97:${ada.proxy}`,
    value: 100,
    proofOfPayment: { fromAddress: ada.proxy, toAddress: poet.wallet, chainId: '97', txHash: payout?.transaction },
  })
  expect(text).not.toContain('pond')
  const file = `/jobs/${jobId}/feedback.json`
  expect((await get(market.url, `/agents/${poet.handle}/feedback`)).json).toEqual({
    feedback: [{ job_id: jobId, outcome: 'accepted', value: 100, at: expect.any(String), tx_hash: payout?.transaction, file }],
  })
})

test('work that did not pass is recorded as such with the escrow as proof, and nobody rates their own agent', async () => {
  const ben = await market.user('ben')
  const poet = await provider(market, plain('0.5', { deliverable: asksForPoem }))
  const failed = await hirePoet(ben, poet, lacking)
  expect(failed.state).toBe('refunded')
  await confirmed(failed.jobId)
  expect(await summaryOf(poet.agentId, address.parse(ben.proxy))).toEqual({ count: 1n, value: 0n })
  expect((await get(market.url, `/jobs/${failed.jobId}/feedback.json`)).json).toMatchObject({ value: 0, tag2: 'rejected' })

  const owner = await market.user(`owner-${poet.handle}`)
  const own = await hirePoet(owner, poet, ['{"poem":"mine"}'])
  expect(own.state).toBe('settled')
  const later = await hirePoet(ben, poet, ['{"poem":"good"}'])
  await confirmed(later.jobId)
  expect((await get(market.url, `/agents/${poet.handle}/feedback`)).json).toMatchObject({
    feedback: [
      { job_id: later.jobId, value: 100 },
      { job_id: failed.jobId, value: 0, outcome: 'rejected' },
    ],
  })
  expect(await intentOf(own.jobId)).toBeUndefined()
  expect((await get(market.url, `/jobs/${own.jobId}/feedback.json`)).status).toBe(404)
  expect(await summaryOf(poet.agentId, address.parse(ben.proxy))).toEqual({ count: 2n, value: 50n })
})

test('an appeal is accepted once and only from the user of the run; it moves no money and counts against the agent', async () => {
  const cleo = await market.user('cleo')
  const stranger = await market.user('stranger')
  const poet = await provider(market, plain('0.5'))
  const { runId } = await hirePoet(cleo, poet, ['A pond'])
  const record = z.object({ reputation: z.object({ judged: z.number(), accepted: z.number() }) })
  const figures = async () => record.parse(await cleo.client.get(`/agents/${poet.agentId}`)).reputation
  expect(await figures()).toMatchObject({ judged: 1, accepted: 1 })
  const before = await balancesOf(cleo, { poet: poet.wallet })

  const appeal = (reason: string, by?: User) => post(market.url, `/runs/${runId}/appeal`, { reason }, by?.token)
  expect(await appeal('Not a haiku')).toMatchObject({ status: 401 })
  expect(await appeal('Not a haiku', stranger)).toMatchObject({ status: 404, code: 'run-not-found' })
  expect(await appeal('', cleo)).toMatchObject({ status: 422 })
  expect(await appeal('Not a haiku', cleo)).toMatchObject({ status: 200, json: { state: 'recorded' } })
  expect(await appeal('Not a haiku', cleo)).toMatchObject({ status: 200 })
  expect(await appeal('And another thing', cleo)).toMatchObject({ status: 409, code: 'not-appealable' })

  expect(await figures()).toMatchObject({ judged: 1, accepted: 0 })
  expect(await balancesOf(cleo, { poet: poet.wallet })).toEqual(before)
  expect((await eventsOf(cleo, runId)).filter(it => it.type === 'disputed')).toHaveLength(1)
  expect((await readRun(cleo, runId)).job?.state).toBe('settled')
})

test('only accepted work can be appealed against', async () => {
  const dan = await market.user('dan')
  const poet = await provider(market, plain('0.5', { deliverable: asksForPoem }))
  const { runId } = await hirePoet(dan, poet, lacking)
  expect(await post(market.url, `/runs/${runId}/appeal`, { reason: 'x' }, dan.token)).toMatchObject({ status: 409 })
})
