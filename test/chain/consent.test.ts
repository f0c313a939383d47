import { encodeFunctionData, keccak256, parseTransaction, serializeTransaction } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reputationRegistryAbi } from '../../src/chain/contracts/artifacts/ReputationRegistry.ts'
import { testUsdcAbi } from '../../src/chain/contracts/artifacts/TestUsdc.ts'
import { gasCeilings } from '../../src/chain/rpc/gas.ts'
import { createAllowanceHire } from '../../src/chain/signing/allowance.ts'
import { createClientGate } from '../../src/chain/signing/clientGate.ts'
import { SigningRefused } from '../../src/chain/signing/signerPolicy.ts'
import type { Address } from '../../src/domain/hex.ts'
import { json } from '../../src/domain/json.ts'
import { spentBesides } from '../../src/domain/money/spending.ts'
import { toDigest } from '../../src/domain/runs/proposal.ts'
import type { HeldAsset } from '../../src/ports.ts'
import { proposal } from '../graphs/states.ts'
import { newMandate } from '../store/mandateRows.ts'
import { account, addRun, newIntent, newJob, user } from '../store/rows.ts'
import { agreeTo, usdc } from './consents.ts'
import { openSenders, type Senders } from './senders.ts'

const spending = { job: '50', day: '100' }

let world: Senders
let client: Address
let provider: Address
beforeAll(async () => {
  world = await openSenders({ spending })
  client = await world.rich('user', account(1))
  provider = await world.rich('agent', '97:echo')
  const { deployUsdc: _, send } = world.external
  const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [client, usdc(1_000)] })
  await send(world.chain.addresses.usdc, data)
})
afterAll(() => world.close())

const expiresAt = Date.now() + 3_600_000
const newest = async (wallet: Address) => (await world.store.signatures({ wallet, limit: 1 }))[0]

test('a hire is signed only for a yes to exactly its terms', async () => {
  const { chain, store } = world
  const terms = { jobId: 'job_none', client, provider, budget: usdc(1), expiresAt }
  await expect(chain.hire(terms)).rejects.toThrow(SigningRefused)
  await expect(chain.hire({ ...terms, authorized: { runId: 'run-nobody', digest: 'abcdef01' } })).rejects.toThrow(
    'has no consent',
  )
  const { authorized } = await agreeTo(store, chain, { jobId: 'job_yes', client, provider })
  await expect(chain.hire({ ...terms, authorized: { ...authorized, digest: '00000000' } })).rejects.toThrow('has no consent')
})

test('a hire that was agreed to before digests had 128 bits is signed, and no other terms with the same beginning are', async () => {
  const { chain, store } = world
  const agree = async (jobId: string, shown: boolean) => {
    const runId = `run-of-${jobId}`
    await addRun(store, runId)
    const job = newJob(runId, { id: jobId, expiresAt })
    const digest = toDigest(job.terms)
    const short = digest.slice(0, 8)
    await store.addRunInput(runId, 'proposal', { kind: 'decision', decision: 'yes', digest: short, text: 'yes' })
    // What the yes was for: these terms, or other ones whose digest began alike.
    const terms = shown ? job.terms : { ...job.terms, input: '{"talk":"another one"}' }
    const data = { proposal: json.parse({ ...proposal, ...terms, digest: short }) }
    await store.addRunEvent(runId, { kind: 'proposed', summary: '', data })
    return chain.hire({ jobId, client, provider, budget: usdc(1), expiresAt, authorized: { runId, digest } })
  }
  await expect(agree('job_before', true)).resolves.toMatchObject({ to: chain.addresses.escrow })
  await expect(agree('job_alike', false)).rejects.toThrow('has no consent')
})

test('a hire is signed only for a mandate that was drawn on for exactly these terms and this amount', async () => {
  const { chain, store } = world
  const { addresses } = chain
  const limits = { maxPerJob: 5_000_000, maxPerPeriod: 9_000_000, askAbove: 5_000_000 }
  await store.addMandate(newMandate({ id: 'mandate-1', limits }))
  await addRun(store, 'run-drawn')
  const drawing = { mandateId: 'mandate-1', runId: 'run-drawn', digest: 'abcdef01', amount: usdc(5), categories: [] }
  expect(await store.drawOnMandate(drawing)).toMatchObject({ isCovered: true })
  const gate = createClientGate({ store, chainId: 97, usdcDecimals: 6, addresses, spending })
  const hire = (budget: bigint, digest = 'abcdef01', runId = 'run-drawn') =>
    gate.grantHire({ jobId: 'job_drawn', client, provider, budget, expiresAt, authorized: { runId, digest } })
  expect(await hire(usdc(5))).toMatchObject({ reference: { runId: 'run-drawn', digest: 'abcdef01', amount: usdc(5) } })
  for (const wrong of [hire(usdc(5) + 1n), hire(usdc(4)), hire(usdc(5), '00000000'), hire(usdc(5), 'abcdef01', 'run-none')])
    await expect(wrong).rejects.toThrow('has no consent')
  await store.revokeMandate('mandate-1', user)
  await expect(hire(usdc(5))).rejects.toThrow('has no consent')
})

test('a hire is stored before it is signed, with the consent behind it and without key or signature', async () => {
  const { chain, store } = world
  const { call, purpose, authorized } = await agreeTo(store, chain, { jobId: 'job_noted', client, provider })
  expect(await newest(client)).toMatchObject({
    kind: 'typed-data',
    role: 'user',
    chainId: 97,
    contract: chain.addresses.usdc,
    selector: 'ReceiveWithAuthorization',
    amount: usdc(10),
    reference: { ...authorized, amount: usdc(10) },
  })
  const { raw } = await chain.sign({ sender: client, nonce: 0, call, purpose })
  const { nonce, to, data, gas, maxFeePerGas, maxPriorityFeePerGas } = parseTransaction(raw)
  const unsigned = { type: 'eip1559', chainId: 97, nonce, to, data, gas, maxFeePerGas, maxPriorityFeePerGas } as const
  const noted = await newest(client)
  expect(noted).toMatchObject({ kind: 'transaction', contract: chain.addresses.escrow, selector: call.data.slice(0, 10) })
  expect(noted?.digest).toBe(keccak256(serializeTransaction(unsigned)))
  const written = JSON.stringify(await store.db.sql('select * from signature'))
  expect(written).not.toContain(raw.slice(-60))
})

test('a hire transaction is signed only for the job, the wallet and the agent of its intent', async () => {
  const { chain, store, wallets } = world
  const { call, purpose } = await agreeTo(store, chain, { jobId: 'job_own', client, provider })
  await agreeTo(store, chain, { jobId: 'job_other', client, provider, budget: usdc(9) })
  await expect(chain.sign({ sender: client, nonce: 0, call })).rejects.toThrow('does not belong to a job')
  await expect(chain.sign({ sender: client, nonce: 0, call, purpose: 'job:job_other:hire' })).rejects.toThrow(SigningRefused)
  const thief = await wallets.ensure('user', account(2))
  await expect(chain.sign({ sender: thief, nonce: 0, call, purpose })).rejects.toThrow('is not the wallet of job job_own')
  expect((await chain.sign({ sender: client, nonce: 0, call, purpose })).nonce).toBe(0)
})

test('an approval covers exactly the budget, and only the escrow of the job may spend it', async () => {
  const { chain, store } = world
  const { addresses, evaluator } = chain
  await agreeTo(store, chain, { jobId: 'job_exact', client, provider, budget: usdc(7) })
  const gate = createClientGate({ store, chainId: 97, usdcDecimals: 6, addresses, spending })
  const { approve } = createAllowanceHire({ addresses, evaluator, gas: gasCeilings })
  const grant = (amount: bigint) =>
    gate.grantCall({ role: 'user', sender: client, call: approve(amount), purpose: 'job:job_exact:approve' })
  expect(await grant(usdc(7))).toMatchObject({ reference: { amount: usdc(7) } })
  for (const amount of [usdc(7) + 1n, usdc(7) - 1n, 2n ** 256n - 1n])
    await expect(grant(amount)).rejects.toThrow('not the budget')
})

test('USDC leaves a custodial wallet only to its owner at the owner’s request, or for a purpose in the table', async () => {
  const { chain, store, wallets } = world
  const [owner, other] = [account(0xca5e), account(0xe7e)]
  const [own, foreign] = [await wallets.ensure('user', owner), await wallets.ensure('user', other)]
  const ask = async (id: string, of: Partial<Parameters<typeof store.addWithdrawal>[0]> = {}) => {
    await store.addWithdrawal({
      id,
      user: owner,
      chainId: 97,
      asset: 'usdc',
      decimals: 6,
      wallet: own,
      to: owner,
      amount: usdc(3),
      ...of,
    })
    await store.addIntents([newIntent(`withdraw:${id}`)])
  }
  await ask('asked')
  await ask('of-another-wallet', { wallet: foreign })
  const send = (sender: Address, to: Address, amount: bigint, id = 'asked') => {
    const call = chain.withdraw?.('usdc', to, amount)
    if (!call) throw new Error('this chain withdraws nothing')
    return chain.sign({ sender, nonce: 0, call, purpose: `withdraw:${id}` })
  }
  expect((await send(own, owner, usdc(3))).nonce).toBe(0)
  await expect(send(own, other, usdc(3))).rejects.toThrow('the call is not that of withdrawal asked')
  await expect(send(own, owner, usdc(4))).rejects.toThrow('the call is not that of withdrawal asked')
  // An outside address that the owner never added, or whose delay is not over, gets nothing, whatever row asks for it.
  await ask('outside', { to: other })
  await expect(send(own, other, usdc(3), 'outside')).rejects.toThrow('was no withdrawal address')
  const outside = { user: owner, chainId: 97, address: other, name: 'Mine' }
  await store.addWithdrawalAddress({ ...outside, id: 'early', delayMs: 60_000 }, 9)
  await expect(send(own, other, usdc(3), 'outside')).rejects.toThrow('was no withdrawal address')
  await store.removeWithdrawalAddress('early', owner)
  await store.addWithdrawalAddress({ ...outside, id: 'ready', delayMs: 0 }, 9)
  await ask('outside-later', { to: other })
  expect((await send(own, other, usdc(3), 'outside-later')).nonce).toBe(0)
  await expect(send(own, owner, usdc(3), 'nobody-asked')).rejects.toThrow('was requested')
  await expect(send(foreign, owner, usdc(3))).rejects.toThrow('was requested')
  await expect(send(foreign, owner, usdc(3), 'of-another-wallet')).rejects.toThrow('must be requested by the owner')
  await expect(send(provider, owner, usdc(3))).rejects.toThrow('was requested')
  await expect(send(chain.treasury, owner, usdc(3))).rejects.toThrow('is not permitted')
  await expect(send(chain.evaluator, owner, usdc(3))).rejects.toThrow('is not permitted')
})

test('row 79: coin and tokens leave a custodial wallet only to its owner, at the owner’s request for exactly that asset and amount', async () => {
  const { chain, store, wallets } = world
  const [owner, token] = [account(0xc01), account(0x70c)]
  const own = await wallets.ensure('user', owner)
  const ask = async (asset: HeldAsset) => {
    await store.addWithdrawal({
      id: `of-${asset}`,
      user: owner,
      chainId: 97,
      asset,
      decimals: 18,
      wallet: own,
      to: owner,
      amount: 7n,
    })
    await store.addIntents([newIntent(`withdraw:of-${asset}`)])
  }
  const send = (asset: HeldAsset, { id = `of-${asset}`, to = owner, amount = 7n, sender = own } = {}) => {
    const call = chain.withdraw?.(asset, to, amount)
    if (!call) throw new Error('this chain withdraws nothing')
    return chain.sign({ sender, nonce: 0, call, purpose: `withdraw:${id}` })
  }
  for (const asset of ['coin', 'wrapped', token] as const) {
    await expect(send(asset)).rejects.toThrow('was requested')
    await ask(asset)
    await expect(send(asset, { to: account(2) })).rejects.toThrow('the call is not that of withdrawal')
    await expect(send(asset, { amount: 8n })).rejects.toThrow('the call is not that of withdrawal')
    await expect(send(asset, { sender: provider })).rejects.toThrow('was requested')
    await expect(send(asset, { sender: chain.evaluator })).rejects.toThrow(/may not send plain transfers|is not permitted/)
  }
  await expect(send('wrapped', { id: 'of-coin' })).rejects.toThrow('the call is not that of withdrawal of-coin')
  expect((await send('coin')).nonce).toBe(0)
  expect((await send('wrapped')).nonce).toBe(0)
  await expect(send(token)).rejects.toThrow('is neither the token of an agent nor one of the list')
})

test('neither one job nor all jobs of a day may commit more than the limits, even under concurrent requests', async () => {
  const { chain, store, wallets } = world
  const rich = await wallets.ensure('user', account(3))
  const hire = (jobId: string, budget: bigint) => agreeTo(store, chain, { jobId, client: rich, provider, budget })
  await expect(hire('job_huge', usdc(51))).rejects.toThrow('exceeds the limit per job')
  const asked = await Promise.allSettled(['a', 'b', 'c', 'd'].map(name => hire(`job_${name}`, usdc(40))))
  expect(asked.filter(it => it.status === 'fulfilled')).toHaveLength(2)
  expect(spentBesides(await store.spending({ wallet: rich, chainId: 97 }), '')).toBe(usdc(80))
  const refusal = (budget: bigint) => chain.spendingRefusal?.({ client: rich, budget, runId: 'run-new' })
  expect(await refusal(usdc(21))).toContain('100 USDC in 24 hours and has already committed 80 USDC')
  expect(await refusal(usdc(51))).toContain('A job may cost at most 50 USDC')
  expect(await refusal(usdc(20))).toBeUndefined()
})

test('an abandoned hire stays open when somebody else sent it, and is cancelled when nobody did', async () => {
  const { chain, store, client: node, external } = world
  const taken = await agreeTo(store, chain, { jobId: 'job_relayed', client, provider })
  const late = await agreeTo(store, chain, { jobId: 'job_alone', client, provider })
  expect(await chain.isHired?.(taken.call)).toBe(false)
  await external.send(chain.addresses.escrow, taken.call.data)
  expect(await chain.isHired?.(taken.call)).toBe(true)
  // The chain can execute neither: one authorization is already used, and the tokens for the other are gone.
  const balance = await chain.usdcBalance(client)
  await node.impersonateAccount({ address: client })
  const away = encodeFunctionData({ abi: testUsdcAbi, functionName: 'transfer', args: [account(9), balance] })
  await external.mined(node.sendTransaction({ account: client, to: chain.addresses.usdc, data: away }))
  for (const [name, of] of Object.entries({ job_relayed: taken, job_alone: late }))
    await world.decide(`job:${name}:hire`, of.call, { sender: client })
  expect((await world.done('job:job_relayed:hire')).state).toBe('reverted')
  expect(await world.done('job:job_alone:hire')).toMatchObject({ state: 'reverted', hash: undefined })
  expect((await store.job('job_relayed'))?.state).toBe('open')
  expect(await store.job('job_alone')).toMatchObject({
    state: 'cancelled',
    reason: expect.stringContaining('would revert the hire'),
  })
})

test('after a job has ended, the wallet of its client may give feedback on its agent, and may do nothing else there', async () => {
  const { chain, store, wallets } = world
  await agreeTo(store, chain, { jobId: 'job_rated', client, provider })
  const purpose = 'job:job_rated:feedback'
  const about = (agentNumber: bigint) => {
    const call = chain.giveFeedback?.({ agentNumber, value: 100, tags: ['hire', 'accepted'], uri: 'http://x', file: '{}' })
    if (!call) throw new Error('no registry')
    return call
  }
  await expect(chain.sign({ sender: client, nonce: 0, call: about(7n), purpose })).rejects.toThrow('a job that has ended')
  await store.moveJob('job_rated', 'cancel')
  expect((await chain.sign({ sender: client, nonce: 0, call: about(7n), purpose })).nonce).toBe(0)
  expect(await newest(client)).toMatchObject({ contract: chain.addresses.reputation, reference: undefined })
  await expect(chain.sign({ sender: client, nonce: 0, call: about(8n), purpose })).rejects.toThrow('about another agent')
  await expect(chain.sign({ sender: client, nonce: 0, call: about(7n) })).rejects.toThrow(SigningRefused)
  const thief = await wallets.ensure('user', account(2))
  await expect(chain.sign({ sender: thief, nonce: 0, call: about(7n), purpose })).rejects.toThrow(
    'is not the wallet of job job_rated',
  )
  const revoke = encodeFunctionData({ abi: reputationRegistryAbi, functionName: 'revokeFeedback', args: [7n, 1n] })
  await expect(chain.sign({ sender: client, nonce: 0, call: { ...about(7n), data: revoke }, purpose })).rejects.toThrow(
    'is not permitted',
  )
})
