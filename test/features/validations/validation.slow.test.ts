import { decodeFunctionResult, encodeFunctionData, type Hex, keccak256, stringToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { validationRegistryAbi as abi } from '../../../src/chain/contracts/artifacts/ValidationRegistry.ts'
import { createAsk } from '../../../src/chain/embedded/devnode/ask.ts'
import { parseAgentId } from '../../../src/domain/agents/agentId.ts'
import { lookForChain } from '../../faults/embedded.ts'
import { asksForPoem, balancesOf, eventsOf, hirePoet, lacking, plain, provider, rested, talk } from '../../hire/market.ts'
import { get } from '../../http/wire.ts'
import { startTestService, type TestService, until } from '../../service.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

const validated = plain('0.5', { validation: true, deliverable: asksForPoem })

const list = z.object({
  registry: z.string(),
  validator: z.string(),
  count: z.number(),
  average: z.number(),
  validations: z.array(z.object({ request_hash: z.string(), request_uri: z.string(), response: z.number(), state: z.string() })),
})
const listOf = async (agentId: string) => list.parse((await get(market.url, `/agents/${agentId}/validations`)).json)
const validatedTimes = (agentId: string, times: number) =>
  until(`${times} validations of ${agentId}`, async () => {
    const found = await listOf(agentId)
    return found.count === times && found.validations.every(it => it.state === 'confirmed') ? found : undefined
  })

/** Code of a contract that refuses every call. */
const invalidOpcode = '0xfe'

/** The status of a request, read from the contract. */
const statusOf = async (requestHash: Hex) => {
  const chain = market.service.world.deps.chains.get(97)
  if (!chain?.ask || !chain.addresses.validation) throw new Error('no registry')
  const asked = encodeFunctionData({ abi, functionName: 'getValidationStatus', args: [requestHash] })
  const [validator, , response, , tag] = decodeFunctionResult({
    abi,
    functionName: 'getValidationStatus',
    data: (await chain.ask(chain.addresses.validation, asked)) ?? '0x',
  })
  return { validator: validator.toLowerCase(), response, tag }
}

test('the verdict of a hire is in the validation registry where the offering asks for it, with the hash of the deliverable', async () => {
  const ada = await market.user('ada')
  const poet = await provider(market, validated)
  const { runId, jobId, state } = await hirePoet(ada, poet, ['{"poem":"An old silent pond"}'])
  expect(state).toBe('settled')
  const { registry, validator, average, validations } = await validatedTimes(poet.agentId, 1)
  expect(average).toBe(100)
  const [it] = validations
  if (!it) throw new Error('no validation')
  const { text, json } = await get(market.url, new URL(it.request_uri).pathname)
  expect(it.request_uri).toBe(`${market.url}/jobs/${jobId}/validation.json`)
  expect(keccak256(stringToHex(text))).toBe(it.request_hash)
  const delivered = z.object({ job: z.object({ deliverable: z.string() }) }).parse(await ada.client.get(`/runs/${runId}`))
  expect(json).toMatchObject({
    validatorAddress: `eip155:97:${validator}`,
    jobId,
    deliverableHash: keccak256(stringToHex(delivered.job.deliverable)),
  })
  expect(text).not.toContain('pond')
  expect(await statusOf(keccak256(stringToHex(text)))).toEqual({ validator, response: 100, tag: 'schema' })
  expect(market.service.world.deps.chains.get(97)?.addresses.validation).toBe(registry)

  const file = z.object({ supportedTrust: z.array(z.string()) })
  const trustOf = async (agentId: string) =>
    file.parse((await get(market.url, `/agents/${agentId}/registration.json`)).json).supportedTrust
  expect(await trustOf(poet.agentId)).toContain('validation')
  const other = await provider(market, plain('0.5'))
  expect(await trustOf(other.agentId)).not.toContain('validation')
})

test('rejected work is validated with 0, and neither undelivered work, nor own hires, nor other offerings are validated', async () => {
  const ben = await market.user('ben')
  const poet = await provider(market, validated)
  const failed = await hirePoet(ben, poet, lacking)
  expect(failed.state).toBe('refunded')
  expect(await validatedTimes(poet.agentId, 1)).toMatchObject({ average: 0, validations: [{ response: 0 }] })

  const silent = await provider(market, plain('0.5'))
  const owner = await market.user(`owner-${poet.handle}`)
  const own = await hirePoet(owner, poet, ['{"poem":"mine"}'])
  const unasked = await hirePoet(ben, silent, ['A pond'])
  const again = await hirePoet(ben, poet, ['{"poem":"good"}'])
  expect([own.state, unasked.state, again.state]).toEqual(['settled', 'settled', 'settled'])
  const found = await validatedTimes(poet.agentId, 2)
  expect(found.average).toBe(50)
  expect(found.validations.map(it => it.response)).toEqual([100, 0])
  for (const { jobId } of [own, unasked]) expect((await get(market.url, `/jobs/${jobId}/validation.json`)).status).toBe(404)
  expect(await listOf(silent.agentId)).toMatchObject({ count: 0, validations: [] })
})

test('a restart at any point after the delivery leaves one request and one response, also after the chain is read again', async () => {
  const dora = await market.user('dora')
  const poet = await provider(market, validated)
  const { say } = talk(dora)
  const { run_id } = await say(`Hire agent ${poet.handle} to write a haiku`)
  await say('yes', 0)
  await poet.deliver((await poet.take()).job_id, '{"poem":"A frog jumps in"}')
  await market.restart()
  expect((await rested(dora, run_id)).job?.state).toBe('settled')
  await market.restart()
  const before = await validatedTimes(poet.agentId, 1)
  await market.restart({ rebuild: true })
  expect(await validatedTimes(poet.agentId, 1)).toEqual(before)
  const ask = createAsk(lookForChain(market.dir).rpcUrl)
  const of = `0x${(parseAgentId(poet.agentId)?.number ?? 0n).toString(16).padStart(64, '0')}`
  const logs = await ask('eth_getLogs', { address: before.registry, fromBlock: '0x0', topics: [null, null, of] })
  expect(logs).toHaveLength(2)
})

test('a registry that refuses requests holds up neither payment nor feedback', async () => {
  const cleo = await market.user('cleo')
  const poet = await provider(market, validated)
  const { chains, store } = market.service.world.deps
  const broken = createAsk(lookForChain(market.dir).rpcUrl)
  await broken('anvil_setCode', chains.get(97)?.addresses.validation, invalidOpcode)
  const { runId, jobId, state } = await hirePoet(cleo, poet, ['{"poem":"Splash"}'])
  expect(state).toBe('settled')
  const ended = (step: string) =>
    until(step, async () => {
      const intent = await store.intent(`job:${jobId}:${step}`)
      return ['confirmed', 'reverted'].includes(intent?.state ?? '') ? intent?.state : undefined
    })
  expect(await ended('feedback')).toBe('confirmed')
  expect(await ended('validation-response')).toBe('reverted')
  expect((await balancesOf(cleo, { poet: poet.wallet })).poet).toBe(0.5)
  expect((await eventsOf(cleo, runId)).some(it => it.summary_text.includes('validationRequest'))).toBe(true)
})
