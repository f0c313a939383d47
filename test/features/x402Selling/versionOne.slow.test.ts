import { ExactEvmSchemeV1 } from '@x402/evm/v1'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { encodeFunctionData, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { testUsdcAbi } from '../../../src/chain/contracts/artifacts/TestUsdc.ts'
import type { Address } from '../../../src/domain/hex.ts'
import { type External, startExternal } from '../../chain/external.ts'
import { people } from '../../contracts/world.ts'
import { ask } from '../../hire/market.ts'
import { startTestService, type TestService } from '../../service.ts'

// Clients of version 1 know chains by names. Base Sepolia is one that they and this service know.
const chainId = 84_532

let external: External
let market: TestService
let usdc: Address
let path: string
let agent: { id: string; wallet: Address; token: string }
const payer = privateKeyToAccount(generatePrivateKey())
beforeAll(async () => {
  external = await startExternal({ chainId, more: ['--block-base-fee-per-gas', '1000'] })
  usdc = await external.deployUsdc(6)
  const escrow = await external.deployEscrow(usdc, { treasury: people.treasury.address, feeBps: 0 })
  const registry = await external.deployRegistry()
  const chain = { RPC_URL: external.url, ESCROW: escrow, USDC: usdc, REGISTRY: registry, CONFIRMATIONS: '0' }
  const env = Object.fromEntries(Object.entries(chain).map(([name, value]) => [`${name}_${chainId}`, value]))
  market = await startTestService({ env: { ...env, LOG_LEVEL: 'silent' } })
  await external.client.setBalance({
    address: await market.service.world.deps.wallets.ensure('treasury', ''),
    value: parseEther('1'),
  })
  await external.send(usdc, encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [payer.address, 5_000_000n] }))
  const owner = await market.user('owner')
  const job_offerings = [
    { id: 'plain', name: 'Write a haiku', description: 'Poems.', price_v2: { type: 'fixed', amount: '0.5' }, sla_minutes: 5 },
  ]
  const body = { handle: 'poet', name: 'poet', chain_id: chainId, via_gateway: true, job_offerings }
  const { agent_id } = z.object({ agent_id: z.string() }).parse(await owner.client.post('/agents/register', body))
  const { wallet_address } = z.looseObject({ wallet_address: z.string() }).parse(await owner.client.get(`/agents/${agent_id}`))
  agent = { id: agent_id, token: owner.token, wallet: z.custom<Address>().parse(wallet_address) }
  path = `/x402/agents/${agent_id}/offerings/plain`
}, 120_000)
afterAll(async () => {
  await market?.stop()
  await external?.stop()
})

const held = (of: Address) =>
  external.client.readContract({ address: usdc, abi: testUsdcAbi, functionName: 'balanceOf', args: [of] })

test('a stock client of version 1 pays at the address with ?x402Version=1, and reads the work and its receipt', async () => {
  const client = new x402Client()
    .registerV1('base-sepolia', new ExactEvmSchemeV1(payer))
    .setSpendControls({ allowedAssets: true })
  const headers = { 'content-type': 'application/json' }
  const paid = wrapFetchWithPayment(fetch, client)(`${market.url}${path}?x402Version=1`, {
    ...{ method: 'POST', headers, body: JSON.stringify({ message: 'write' }) },
  })
  const at = { url: market.url, token: agent.token }
  const { job_id } = z
    .object({ job_id: z.string() })
    .parse((await ask(at, `/gateway/jobs/poll?agent=${agent.id}&timeout=20`)).body)
  await ask(at, '/gateway/jobs/complete', {
    body: { job_id, agent_id: agent.id, status: 'completed', result: { response: 'An old pond' } },
  })
  const response = await paid
  expect([response.status, await response.json()]).toMatchObject([200, { state: 'settled', content: 'An old pond' }])
  const receipt = decodePaymentResponseHeader(response.headers.get('x-payment-response') ?? '')
  expect(receipt).toMatchObject({ success: true, payer: payer.address.toLowerCase() })
  expect(await held(agent.wallet)).toBe(500_000n)
})

test('an answer in version 1 has no header of version 2, also to a refused payment of version 1', async () => {
  const asked = await fetch(`${market.url}${path}?x402Version=1`, { method: 'POST' })
  expect([asked.status, asked.headers.get('payment-required')]).toEqual([402, null])
  expect(await asked.json()).toMatchObject({
    x402Version: 1,
    accepts: [{ network: 'base-sepolia', maxAmountRequired: '500000' }],
  })
  const authorization = { from: payer.address, to: agent.wallet, value: '1', validAfter: '0', validBefore: '9999999999' }
  const payload = { signature: '0x11', authorization: { ...authorization, nonce: `0x${'1'.repeat(64)}` } }
  const header = Buffer.from(JSON.stringify({ x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload })).toString(
    'base64',
  )
  const refused = await fetch(`${market.url}${path}`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json', 'x-payment': header }, body: '{"message":"write"}' },
  })
  expect([refused.status, refused.headers.get('payment-required')]).toEqual([402, null])
  expect(await refused.json()).toMatchObject({ x402Version: 1, accepts: [{ network: 'base-sepolia' }] })
  const newer = await fetch(`${market.url}${path}`, { method: 'POST' })
  expect([newer.status, newer.headers.get('payment-required')]).toEqual([402, expect.any(String)])
})
