import { encodeFunctionData, getContractAddress, parseEther, parseTransaction } from 'viem'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { testUsdcAbi, testUsdcBytecode } from '../../src/chain/contracts/artifacts/TestUsdc.ts'
import { claimChain, openPublicChain } from '../../src/chain/public/publicChain.ts'
import { lower } from '../../src/chain/rpc/checksum.ts'
import { createSealer } from '../../src/chain/signing/secrets.ts'
import { createWallets } from '../../src/chain/signing/wallets.ts'
import type { Address } from '../../src/domain/hex.ts'
import { limits } from '../../src/domain/limits.ts'
import type { Clock } from '../../src/ports.ts'
import { accountEventRecord } from '../../src/records/ownRecords.ts'
import { walletRecord } from '../../src/records/withdrawal.ts'
import { type Question, startRpcProxy } from '../faults/real/rpcProxy.ts'
import { ask, balancesOf, pathOf, plain, rested, talk, walletOf } from '../hire/market.ts'
import { createTestClock, startTestService, type TestService, type User, until } from '../service.ts'
import { deployer, type External, startExternal } from './external.ts'
import { readStandins, type Standin } from './standins/compiled.ts'

let external: External
let standin: (name: string) => Standin
beforeAll(async () => {
  standin = await readStandins(['Tokens.sol'])
  external = await startExternal()
})
afterAll(() => external?.stop())

const health = z.object({
  chains: z.array(
    z.object({ chain_id: z.number(), embedded: z.boolean(), explorer: z.string().optional(), notes: z.array(z.string()) }),
  ),
  refused_chains: z.array(z.object({ chain_id: z.number(), reason: z.string() })),
})
const healthOf = async (market: TestService) => health.parse((await ask(market, '/health')).body)

/** Starts a service on the node. The escrow is deployed after it, because the treasury's address is only known then. */
type Contracts = { usdc: Address; registry: Address; feeBps: number; others?: Address[] }
type Around = { nodeUrl?: string; clock?: Clock }
const startOn = async ({ usdc, registry, feeBps, others = [] }: Contracts, { nodeUrl = external.url, clock }: Around = {}) => {
  const nonce = BigInt(await external.client.getTransactionCount({ address: deployer }))
  const escrow = lower(getContractAddress({ from: deployer, nonce }))
  const contracts = { ESCROW_97: escrow, USDC_97: usdc, REGISTRY_97: registry, OTHER_TOKENS_97: others.join(', ') }
  const chain = { RPC_URL_97: nodeUrl, ...contracts, CONFIRMATIONS_97: '0' }
  const market = await startTestService({ env: { ...chain, RPC_URL_56: external.url }, ...(clock && { clock }) })
  const { wallets, wakeups } = market.service.world.deps
  const before = await healthOf(market)
  const treasury = await wallets.ensure('treasury', '')
  await external.deployEscrow(usdc, { treasury, feeBps })
  const admitted = await until('the chain to be admitted', async () => {
    wakeups.notify('chains')
    const now = await healthOf(market)
    return now.chains.length > 0 && now
  })
  await external.client.setBalance({ address: treasury, value: parseEther('1') })
  return { market, escrow, treasury, before, admitted }
}

const payment = z.object({ type: z.string(), amount: z.string(), payer: z.string(), payee: z.string(), network: z.string() })
const holdings = z.object({ balances: walletRecord.shape.balances })
const eventsOf = z.object({ events: z.array(accountEventRecord) })

/** One hire from the message to the settled payment, with everything that a user reads. */
const hire = async (user: User) => {
  const { say } = talk(user)
  const asked = await say('Write a haiku')
  const done = await say('yes')
  const { total, fee } = asked.data.proposal ?? {}
  const read = async (path: string) => user.client.get(path)
  const payments = z.array(payment).parse(await read(`/runs/${done.run_id}/payments`))
  return {
    runId: done.run_id,
    human: {
      proposed: { total, fee },
      said: done.content.includes('1.014 USDC are in the agent wallet'),
      payments: payments.map(({ type, amount, network }) => [type, amount, network]),
      holds: holdings.parse(await read('/v1/wallets/me')).balances.map(it => it.usdc),
      job: done.data.job?.amount,
    },
  }
}

const expected = {
  proposed: { total: '1.04', fee: '0.026' },
  payments: [
    ['escrow', '1.04', 'eip155:97'],
    ['payout', '1.014', 'eip155:97'],
    ['fee', '0.026', 'eip155:97'],
  ],
  said: true,
  holds: ['23.96'],
  job: '1.04',
}

const setUps = {
  'six decimals and signed authorizations': {
    decimals: 6,
    usdc: () => external.deployUsdc(6),
    registry: () => external.deployRegistry(),
    hireSteps: ['hire', 'submit', 'complete'],
  },
  'eighteen decimals and no authorizations, on a registry that registers nobody for others': {
    decimals: 18,
    usdc: () => external.deploy(standin('PlainToken')),
    registry: () => external.deploy(standin('OwnRegistry')),
    hireSteps: ['approve', 'hire', 'submit', 'complete'],
  },
}

test.each(Object.entries(setUps))('a hire works on an external node, paid in a token with %s', async (_name, setUp) => {
  const [usdc, registry] = [await setUp.usdc(), await setUp.registry()]
  const { market, escrow, treasury, before, admitted } = await startOn({ usdc, registry, feeBps: 250 })
  onTestFinished(market.stop)
  const { store, chains } = market.service.world.deps

  // The chain was refused without an escrow and is then accepted. The other chain stays refused, without an effect on this one.
  const elsewhere = { chain_id: 56, reason: 'The node behind RPC_URL_56 serves chain 97, not chain 56.' }
  const missing = `There is no contract at ${escrow} on chain 97; set ESCROW_97 to the right one.`
  expect(before).toEqual({ chains: [], refused_chains: [elsewhere, { chain_id: 97, reason: missing }] })
  expect(admitted.refused_chains).toEqual([elsewhere])
  expect(admitted.chains[0]?.notes[0]).toBe(
    `The treasury ${treasury} cannot fill other wallets: send it native coin of chain 97.`,
  )
  expect((await healthOf(market)).chains).toEqual([
    { chain_id: 97, embedded: false, explorer: 'https://testnet.bscscan.com', notes: [] },
  ])
  expect(chains.get(97)).toMatchObject({ usdcDecimals: setUp.decimals, faucet: undefined, feeBps: 250 })

  const agent = await market.agent({ handle: 'poet', offerings: [plain('1.04')], handler: async () => 'Old pond' })
  expect(agent.agentId().startsWith(`97:${registry}:`)).toBe(true)
  const ada = await market.user('ada')
  const unit = 10n ** BigInt(setUp.decimals)
  await external.send(usdc, encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [lower(ada.proxy), 25n * unit] }))

  const { runId, human } = await hire(ada)
  expect(human).toMatchObject(expected)
  expect(await pathOf(ada, runId)).toEqual(['open', 'escrowed', 'queued', 'leased', 'submitted', 'settling', 'settled'])

  const elsewhereAsked = await ask(market, `/balances/${ada.proxy}?chain_id=56`)
  expect(elsewhereAsked).toMatchObject({ status: 422, code: 'chain-not-supported' })
  expect(JSON.stringify(elsewhereAsked.body)).toContain(elsewhere.reason)

  const agentWallet = await walletOf(ada, agent.agentId())
  const job = await store.jobOfRun(runId)
  const sent = await Promise.all(['approve', 'hire', 'submit', 'complete'].map(step => store.intent(`job:${job?.id}:${step}`)))
  expect(sent.flatMap(it => (it ? [it.key.split(':')[2]] : []))).toEqual(setUp.hireSteps)
  const price = (104n * unit) / 100n
  const ledger = (await store.ledger({ runId })).map(({ account, amount }) => [account.split(':')[0], amount])
  expect(ledger).toEqual([
    ['wallet', -price],
    ['escrow', price],
    ['escrow', -price],
    ['wallet', (1_014n * unit) / 1_000n],
    ['treasury', (26n * unit) / 1_000n],
  ])
  expect(await balancesOf(ada, { agent: agentWallet, treasury })).toMatchObject({
    ...{ user: 23.96, agent: 1.014, treasury: 0.026, escrow: 0, supply: 25 },
  })
  const gas = await Promise.all(
    (await store.journal(97)).map(async ({ hash, raw }) => ({
      ceiling: parseTransaction(raw).gas ?? 0n,
      used: (await external.client.getTransactionReceipt({ hash })).gasUsed,
    })),
  )
  expect(gas.filter(({ ceiling, used }) => used > 21_000n && ceiling * 10n < used * 18n)).toEqual([])
})

test('of a token that pays for nothing here its owner is told, and withdraws it; of an unknown one nothing is told', async () => {
  const [usdc, registry] = [await external.deployUsdc(6), await external.deployRegistry()]
  const coined = (symbol: string) =>
    external.deploy({ abi: testUsdcAbi, bytecode: testUsdcBytecode }, [symbol, symbol, 18, deployer])
  const [tether, worthless] = [await coined('USDT'), await coined('SCAM')]
  const { market } = await startOn({ usdc, registry, feeBps: 0, others: [tether] })
  onTestFinished(market.stop)
  const ada = await market.user('ada')
  const send = async (token: Address, amount: bigint) => {
    const args = { mint: [deployer, amount], transfer: [lower(ada.proxy), amount] } as const
    await external.send(token, encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: args.mint }))
    await external.send(token, encodeFunctionData({ abi: testUsdcAbi, functionName: 'transfer', args: args.transfer }))
  }
  const ether = 10n ** 18n
  await send(worthless, 7n * ether)
  await send(tether, 12n * ether + ether / 2n)
  const told = await until('the notice', async () => eventsOf.parse(await ada.client.get('/v1/account-events')).events[0])
  expect(told.text).toBe(
    `12.5 USDT arrived on chain 97 from ${deployer}. Jobs are paid with USDC only, so it is not in your balance. ` +
      'You can withdraw it under Account.',
  )
  const others = async () => holdings.parse(await ada.client.get('/v1/wallets/me')).balances[0]?.others
  expect(await others()).toEqual([{ token: tether, symbol: 'USDT', amount: '12.5' }])

  const take = (body: object) => ask({ url: market.url, token: ada.token }, '/v1/withdrawals', { body })
  expect(await take({ asset: worthless })).toMatchObject({ status: 404 })
  expect(await take({ asset: tether, amount: '13' })).toMatchObject({ status: 402 })
  expect(await take({ asset: 'usdt' })).toMatchObject({ status: 201, body: { amount: '12.5', asset: tether, to: ada.wallet } })
  await until('the withdrawal', async () => (await others())?.length === 0)
  const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'balanceOf', args: [lower(ada.wallet)] })
  expect(BigInt((await external.client.call({ to: tether, data })).data ?? 0)).toBe(12n * ether + ether / 2n)
})

test('hires that one wallet confirmed at the same moment are all paid, although an approval replaces the one before', async () => {
  const [usdc, registry] = [await external.deploy(standin('PlainToken')), await external.deployRegistry()]
  const { market, treasury } = await startOn({ usdc, registry, feeBps: 0 })
  onTestFinished(market.stop)
  await market.agent({ handle: 'poet', offerings: [plain('1')], handler: async () => 'Old pond' })
  const ada = await market.user('ada')
  await external.send(usdc, encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [lower(ada.proxy), 10n ** 20n] }))
  // Without coin nothing of the wallet is sent, so all calls of the hires wait together.
  await external.client.setBalance({ address: treasury, value: 0n })
  const hires = [talk(ada), talk(ada), talk(ada)]
  for (const { say } of hires) await say('Hire agent poet to write a haiku')
  const runs = await Promise.all(hires.map(async ({ say }) => (await say('yes', 0)).run_id))
  const { store } = market.service.world.deps
  for (const run of runs) await until('its job', () => store.jobOfRun(run))
  await external.client.setBalance({ address: treasury, value: parseEther('1') })
  const ends = await Promise.all(runs.map(run => rested(ada, run)))
  expect(ends.map(it => it.job?.state)).toEqual(runs.map(() => 'settled'))
})

test('while its node refuses every transaction a service is not ready, and once the node takes them the hire settles', async () => {
  const [usdc, registry] = [await external.deployUsdc(6), await external.deployRegistry()]
  const proxy = await startRpcProxy(external.url)
  onTestFinished(proxy.stop)
  const clock = createTestClock()
  const { market } = await startOn({ usdc, registry, feeBps: 0 }, { nodeUrl: proxy.url, clock })
  onTestFinished(market.stop)
  await market.agent({ handle: 'poet', offerings: [plain('1')], handler: async () => 'Old pond' })
  const ada = await market.user('ada')
  await external.send(usdc, encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [lower(ada.proxy), 10n ** 7n] }))
  const touches = ({ method }: Question) => method === 'eth_sendRawTransaction'
  const refusal = { error: { code: -32_000, message: 'transactions are not taken here' } }
  const refused = proxy.add({ times: Number.POSITIVE_INFINITY, touches, reply: async () => refusal })
  const { say } = talk(ada)
  await say('Hire agent poet to write a haiku')
  const { run_id } = await say('yes', 0)
  await refused
  const { wakeups, failingWorkers } = market.service.world.deps
  await until('the sender to fail', async () => failingWorkers?.().some(it => it.worker === 'sendTransactions 97'))
  clock.advance(31_000, wakeups)
  const failed = expect.stringMatching(/^Chain 97: The worker sendTransactions 97 of this process has failed for \d+ s/)
  expect(await ask(market, '/readyz')).toMatchObject({
    status: 503,
    body: { status: 'unhealthy', reasons: expect.arrayContaining(['Hiring works on no chain.', failed]) },
  })
  proxy.clear()
  expect((await rested(ada, run_id)).job?.state).toBe('settled')
  expect((await ask(market, '/readyz')).status).toBe(200)
})

test('a database of one chain is not used for another chain with the same id', async () => {
  const [usdc, registry] = [await external.deployUsdc(6), await external.deployRegistry()]
  const { market } = await startOn({ usdc, registry, feeBps: 0 })
  onTestFinished(market.stop)
  const { store, wallets } = market.service.world.deps
  const other = await external.deployEscrow(usdc, { treasury: deployer, feeBps: 0 })
  expect(await claimChain(store, 97, 'embedded')).toBe(false)
  const choice = { chainId: 97, rpcUrl: external.url, usdc, registry, escrow: other } as const
  const custody = createWallets({ store, sealer: createSealer(new Uint8Array(32)) })
  expect(await openPublicChain(choice, { store, wallets: { ...custody, ...wallets } })).toEqual({
    refused: 'The database contains jobs of another chain with id 97, or of another escrow on it. Use a separate database.',
  })
})

test('on a public chain a wallet has a quota of agents and a minimum price, with any credential', async () => {
  const [usdc, registry] = [await external.deployUsdc(6), await external.deployRegistry()]
  const { market } = await startOn({ usdc, registry, feeBps: 0 })
  onTestFinished(market.stop)
  const owner = { url: market.url, token: (await market.user('prolific')).token }
  const register = (handle: string, amount: number) => {
    const job_offerings = [{ id: 'o', name: 'Fold paper', description: 'Folds paper', price_v2: { type: 'fixed', amount } }]
    return ask(owner, '/agents/register', { body: { handle, chain_id: 97, job_offerings } })
  }
  expect(await register('dust', 0.001)).toMatchObject({ status: 422, code: 'invalid-price' })
  const many = await Promise.all(Array.from({ length: limits.publicAgentsADay + 5 }, (_, at) => register(`many-${at}`, 0.01)))
  expect(many.filter(it => it.status === 200 || it.status === 201)).toHaveLength(limits.publicAgentsADay)
  expect(many.filter(it => it.code === 'registration-quota')).toHaveLength(5)
})
