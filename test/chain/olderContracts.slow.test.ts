import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { createPublicClient, encodeAbiParameters, getContractAddress, type Hex, http, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createAsk } from '../../src/chain/embedded/devnode/ask.ts'
import { mineBlock } from '../../src/chain/embedded/devnode/mining.ts'
import { genesis as recorded } from '../../src/chain/embedded/genesis.ts'
import { type Address, hex } from '../../src/domain/hex.ts'
import { lookForChain } from '../faults/embedded.ts'
import { ask, asksForPoem, paymentsOf, plain, provider, rested, talk } from '../hire/market.ts'
import { get } from '../http/wire.ts'
import { startTestService, type TestService, until } from '../service.ts'

// The creation codes that release 0.2.0 deployed, before registrars, bound request hashes and divided fees.
const codes = z.record(z.string(), hex)
const readCodes = async () =>
  codes.parse(JSON.parse(brotliDecompressSync(await readFile(new URL('olderContracts.json.br', import.meta.url))).toString()))

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

const genesisOf = async () => recorded.parse(JSON.parse(await readFile(join(market.dir, 'chain', 'genesis.json'), 'utf8')))

/** Replaces the contracts of a chain without history by those of the earlier release, at the same addresses. */
const makeOlder = async () => {
  const { deployer, treasury, evaluator, feeBps, addresses: at } = await genesisOf()
  const older = await readCodes()
  const rpc = createAsk(lookForChain(market.dir).rpcUrl)
  const one = (address: Address) => encodeAbiParameters([{ type: 'address' }], [address])
  const ofEscrow = parseAbi(['constructor(address token, address treasury, uint16 feeBps, address evaluator)'])[0].inputs
  const launchpad = parseAbi([
    'struct Reserves { address usdc; uint96 virtualUsdc; address wrappedCoin; uint96 virtualCoin; }',
    'struct Fees { uint16 feeBps; uint16 creatorShareBps; address treasury; }',
    'constructor(address registry, Reserves reserves, Fees fees)',
  ])[0].inputs
  const reserves = { usdc: at.usdc, virtualUsdc: 5_000_000_000n, wrappedCoin: at.wrappedCoin, virtualCoin: 8n * 10n ** 18n }
  const deployments: [nonce: number, address: Address, code: Hex | undefined, args: Hex][] = [
    [1, at.escrow, older.JobEscrow, encodeAbiParameters(ofEscrow, [at.usdc, treasury, feeBps, evaluator])],
    [2, at.registry, older.AgentRegistry, '0x'],
    [3, at.reputation, older.ReputationRegistry, one(at.registry)],
    [
      ...([5, at.launchpad, older.TokenLaunchpad] as const),
      encodeAbiParameters(launchpad, [at.registry, reserves, { feeBps: 100, creatorShareBps: 5_000, treasury }]),
    ],
    [6, at.validation, older.ValidationRegistry, one(at.registry)],
  ]
  await rpc('anvil_impersonateAccount', deployer)
  for (const [nonce, address, code, args] of deployments) {
    // The launchpad makes a contract of its own.
    for (const made of [address, getContractAddress({ from: address, nonce: 1n })]) {
      await rpc('anvil_setCode', made, '0x')
      await rpc('anvil_setNonce', made, '0x0')
    }
    await rpc('anvil_setNonce', deployer, `0x${nonce.toString(16)}`)
    await rpc('eth_sendTransaction', { from: deployer, data: `${code}${args.slice(2)}`, gas: '0x5b8d80' })
    await mineBlock(rpc)
  }
  await rpc('anvil_setNonce', deployer, '0x7')
  await rpc('anvil_stopImpersonatingAccount', deployer)
}

const registryAbi = parseAbi(['function registrar() view returns (address)', 'function ownerOf(uint256) view returns (address)'])
const reader = () => createPublicClient({ transport: http(lookForChain(market.dir).rpcUrl) })
/** The registrar that the registry names; undefined for a registry of the earlier release. */
const registrarOf = async (registry: Address) =>
  reader()
    .readContract({ address: registry, abi: registryAbi, functionName: 'registrar' })
    .catch(() => undefined)

const list = z.object({ count: z.number(), average: z.number() })
const validationsOf = async (agentId: string) => list.parse((await get(market.url, `/agents/${agentId}/validations`)).json)

/** A registration, a paid and validated hire, and a token with a trade whose fees are paid. */
const live = async (handle: string) => {
  const poet = await provider(market, plain('0.5', { validation: true, deliverable: asksForPoem }), handle)
  const ada = await market.user('ada')
  const { say } = talk(ada)
  const { run_id } = await say(`Hire agent ${handle} to write a haiku`)
  await say('yes', 0)
  await poet.deliver((await poet.take()).job_id, '{"poem":"An old silent pond"}')
  const run = await rested(ada, run_id)
  const { count } = await until(`the verdict on ${handle}`, async () => {
    const found = await validationsOf(poet.agentId)
    return found.count > 0 && found
  })
  const by = { url: market.url, token: poet.token }
  const path = `/agents/${encodeURIComponent(poet.agentId)}`
  const { body } = await ask(by, `${path}/token`, { body: { name: `Token of ${handle}`, symbol: 'POEM' } })
  const { token } = z.object({ token: z.object({ token: z.string() }) }).parse(body).token
  const buyer = { url: market.url, token: ada.token }
  const quoted = await ask(buyer, `/tokens/${token}/quotes`, { body: { side: 'buy', amount: '1' } })
  const { digest } = z.object({ digest: z.string() }).parse(quoted.body)
  const traded = await ask(buyer, `/tokens/${token}/trades`, { body: { digest } })
  const paid = await until('the fees', async () => {
    const fees = await ask(by, `${path}/token/fees`, { body: {} })
    const { paid } = z.object({ paid: z.string() }).parse(fees.body)
    return paid !== '0' && paid
  })
  const payments = (await paymentsOf(ada, run_id)).map(it => [it.type, it.amount])
  return { agentId: poet.agentId, state: run.job?.state, payments, count, traded: traded.status, paid }
}

/** Registers an offering that is charged by use, which the escrow of the earlier release cannot settle. */
const registerByUse = async (handle: string) => {
  const owner = await market.user(`owner-${handle}`)
  const price_v2 = { type: 'usage', up_to: '0.5', unit: 'characters', per_unit: '0.01', currency: 'USDC' }
  const body = { handle, chain_id: 97, via_gateway: true, job_offerings: [{ id: 'use', name: 'Write a haiku', price_v2 }] }
  const { status, code } = await ask({ url: market.url, token: owner.token }, '/agents/register', { body })
  return { status, code }
}

test('a data folder of the earlier release goes on with its contracts, and keeps its history when the chain is made anew', async () => {
  await makeOlder()
  await market.restart()
  const { registry, escrow } = (await genesisOf()).addresses
  expect(await registrarOf(registry)).toBeUndefined()
  const before = await live('older')
  expect(before).toMatchObject({ state: 'settled', count: 1, traded: 200, paid: '0.005' })
  expect(before.payments.map(([type]) => type)).toEqual(['escrow', 'payout'])
  expect(await registerByUse('use-before')).toEqual({ status: 422, code: 'invalid-price' })

  // Without any checkpoint the chain is made again with the contracts of this release, and the journal is replayed on it.
  await market.service.stop()
  await rm(join(market.dir, 'chain'), { recursive: true })
  await market.restart()
  const { addresses, treasury } = await genesisOf()
  expect(addresses).toMatchObject({ registry, escrow })
  expect((await registrarOf(registry))?.toLowerCase()).toBe(treasury)
  expect(await validationsOf(before.agentId)).toEqual({ count: 1, average: 100 })
  const number = BigInt(before.agentId.split(':').at(-1) ?? '')
  const owner = await reader().readContract({ address: registry, abi: registryAbi, functionName: 'ownerOf', args: [number] })
  expect(owner.toLowerCase()).toBe((await market.user('owner-older')).wallet.toLowerCase())
  expect(await registerByUse('use-after')).toMatchObject({ code: undefined })
  const after = await live('newer')
  expect(after).toMatchObject({ ...before, agentId: expect.not.stringMatching(`:${number}$`) })
})
