import { uptoPermit2WitnessTypes, x402UptoPermit2ProxyABI, x402UptoPermit2ProxyAddress } from '@x402/evm'
import { concat, encodeFunctionData, pad, parseAbi, parseEther, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { address } from '../../../src/domain/hex.ts'
import { jsonObject } from '../../../src/domain/json.ts'
import { toHeader } from '../../../src/domain/x402/x402.ts'
import { paidCallsOf } from '../../../src/features/x402Selling/ports.ts'
import type { Outside } from '../../../src/world.ts'
import { people } from '../../contracts/world.ts'
import { burning, newFuse } from '../../fuse.ts'
import { ask, plain, provider } from '../../hire/market.ts'
import { until } from '../../service.ts'
import { type Payer, type PermitMarket, startPermitMarket } from './permitMarket.ts'

// Offerings at a price by use, bought by the standard client in the scheme `upto` (@x402/fetch, @x402/evm 2.27.0).

let fuse = newFuse()
const wrap = ({ store, chain }: Outside): Outside => {
  fuse = newFuse()
  return { store: burning(store, fuse), chain: burning(chain, fuse) }
}

const [most, each] = [parseEther('0.5'), parseEther('0.01')]
let world: PermitMarket
let payer: Payer
let poet: Awaited<ReturnType<typeof provider>>
beforeAll(async () => {
  world = await startPermitMarket(wrap, true)
  poet = await provider(world.market, plain('0.5', { usage: { unit: 'pages', perUnit: '0.01' } }))
  payer = await world.payer(2n ** 256n - 1n)
})
afterAll(() => world?.stop())

const body = { message: 'write' }
const path = () => `/x402/agents/${poet.handle}/offerings/plain`
const agentWallet = () => address.parse(poet.wallet.toLowerCase())
const treasury = () => world.market.service.world.deps.chains.get(97)?.treasury ?? '0x'
const deliver = async (units: number) => {
  const { job_id } = await poet.take()
  return { job_id, ...(await poet.report(job_id, { status: 'completed', result: { response: 'An old pond' }, units })) }
}
const balances = async () => [await world.balanceOf(payer.account.address), await world.balanceOf(agentWallet())] as const
/** What the payer lost and the agent gained since `before`. */
const moved = async (before: readonly [bigint, bigint]) => {
  const [held, earned] = await balances()
  return [before[0] - held, earned - before[1]]
}

const signed = async (of: { amount?: bigint; facilitator?: `0x${string}`; to?: `0x${string}`; deadline?: bigint } = {}) => {
  const message = {
    permitted: { token: world.usdc, amount: of.amount ?? most },
    spender: x402UptoPermit2ProxyAddress,
    nonce: BigInt(`0x${crypto.randomUUID().replaceAll('-', '')}`),
    deadline: of.deadline ?? BigInt(Math.floor(Date.now() / 1_000) + 300),
    witness: { to: of.to ?? agentWallet(), facilitator: of.facilitator ?? treasury(), validAfter: 0n },
  }
  const signature = await payer.account.signTypedData({
    domain: { name: 'Permit2', chainId: 97, verifyingContract: '0x000000000022D473030F116dDEE9F6B43aC78BA3' },
    types: uptoPermit2WitnessTypes,
    primaryType: 'PermitWitnessTransferFrom',
    message,
  })
  return { message, signature }
}
type Signed = Awaited<ReturnType<typeof signed>>

const toPayment = ({ message, signature }: Signed, scheme: string) => {
  const text = (value: unknown) => JSON.parse(JSON.stringify(value, (_, it) => (typeof it === 'bigint' ? `${it}` : it)))
  const permit2Authorization = { from: payer.account.address, ...text(message) }
  return toHeader({ x402Version: 2, accepted: { scheme, network: 'eip155:97' }, payload: { signature, permit2Authorization } })
}
const pay = (it: Signed, scheme = 'upto') =>
  ask(world.market, path(), { headers: { 'payment-signature': toPayment(it, scheme) }, body })
const errorOf = (answer: { body: unknown }) => jsonObject.parse(answer.body).error

test('a price by use is offered in the scheme upto with its maximum, and listed', async () => {
  const required = await ask(world.market, path(), { body })
  const accepted = { scheme: 'upto', amount: `${most}`, payTo: agentWallet() }
  expect(required).toMatchObject({
    status: 402,
    body: {
      accepts: [{ ...accepted, extra: { assetTransferMethod: 'permit2', facilitatorAddress: treasury() } }],
      detail: expect.stringContaining('at most 0.5 USDC: 0.01 USDC per unit (pages, stated by the agent)'),
    },
  })
  expect((await ask(world.market, '/x402/discovery/resources', { method: 'GET' })).body).toMatchObject({
    items: [{ accepts: [accepted] }],
  })
  expect((await ask(world.market, '/x402/supported', { method: 'GET' })).body).toMatchObject({
    kinds: [{ scheme: 'exact' }, { scheme: 'upto', extra: { facilitatorAddress: treasury() } }],
  })
})

test('a standard client pays what was used, and the answer, the receipt and the books say so', async () => {
  const before = await balances()
  const bought = payer.buy(path(), body)
  const { job_id } = await deliver(7)
  const { status, body: answer, settled } = await bought
  expect([status, answer]).toEqual([
    200,
    expect.objectContaining({ state: 'settled', content: 'An old pond', amount: '0.07', up_to: '0.5', units: 7 }),
  ])
  expect(settled).toMatchObject({ success: true, network: 'eip155:97', amount: `${7n * each}` })
  expect(await moved(before)).toEqual([7n * each, 7n * each])

  const paid = payer.requests.find(it => it.headers.has('payment-signature'))
  const repeated = paid && (await fetch(paid.clone()))
  expect([repeated?.status, await repeated?.json()]).toEqual([200, answer])
  expect(await moved(before)).toEqual([7n * each, 7n * each])

  const { store } = world.market.service.world.deps
  const call = await paidCallsOf(store).paidCallOfJob(job_id)
  expect((await store.ledger({ runId: call?.runId ?? '' })).map(it => it.amount)).toEqual([-7n * each, 7n * each])
  const { gasUsed } = await world.client.getTransactionReceipt({ hash: call?.hash ?? '0x' })
  const { gas } = await world.client.getTransaction({ hash: call?.hash ?? '0x' })
  // A settlement must not run out of gas, and its limit must not be far above what it uses.
  expect(gas > gasUsed && gas < gasUsed * 3n, `gas ${gasUsed} of ${gas}`).toBe(true)
})

test('units above the cap cost the cap, and a call of which nothing was used costs nothing and needs no transaction', async () => {
  const before = await balances()
  const dear = payer.buy(path(), body)
  await deliver(70)
  expect(await dear).toMatchObject({ status: 200, body: { amount: '0.5' }, settled: { amount: `${most}` } })
  expect(await moved(before)).toEqual([most, most])
  const sent = await world.client.getTransactionCount({ address: treasury() })
  const free = payer.buy(path(), body)
  await deliver(0)
  expect(await free).toMatchObject({
    status: 200,
    body: { state: 'settled', amount: '0', units: 0, transaction: null, content: 'An old pond' },
    settled: { success: true, transaction: '', amount: '0' },
  })
  expect(await world.client.getTransactionCount({ address: treasury() })).toBe(sent)
  expect(await moved(before)).toEqual([most, most])
})

test('a job that failed, or whose units its agent does not say, takes nothing', async () => {
  const before = await balances()
  const failing = pay(await signed())
  const { job_id } = await poet.take()
  const completion = { status: 'completed', result: { response: 'An old pond' } }
  expect(await poet.report(job_id, completion)).toMatchObject({ status: 422 })
  await poet.report(job_id, { status: 'failed', error: 'no ink' })
  expect(await failing).toMatchObject({ status: 502, code: 'work-failed' })
  expect(await moved(before)).toEqual([0n, 0n])
})

test.each<[string, string, () => Promise<Signed>, string?]>([
  ['below the maximum', 'permit2_amount_mismatch', () => signed({ amount: most - 1n })],
  ['above the maximum', 'permit2_amount_mismatch', () => signed({ amount: most + 1n })],
  ['to another payee', 'invalid_permit2_recipient_mismatch', () => signed({ to: payer.account.address })],
  ['for another facilitator', 'upto_facilitator_mismatch', () => signed({ facilitator: people.stranger.address })],
  ['that ends too early', 'permit2_deadline_expired', () => signed({ deadline: BigInt(Math.floor(Date.now() / 1_000) + 10) })],
  [
    'with a facilitator other than the signed one',
    'invalid_permit2_signature',
    async () => {
      const { message, signature } = await signed({ facilitator: people.stranger.address })
      return { message: { ...message, witness: { ...message.witness, facilitator: treasury() } }, signature }
    },
  ],
  ['in the scheme exact', 'unsupported_scheme', () => signed(), 'exact'],
])('a payment %s is refused before any work', async (_name, error, make, scheme) => {
  const answer = await pay(await make(), scheme)
  expect([answer.status, answer.code, errorOf(answer)]).toEqual([402, 'payment-required', error])
  expect(await world.market.service.world.deps.store.jobs({ state: 'queued', limit: 1, offset: 0 })).toEqual([])
})

test('nobody but the named facilitator settles a payment, and no settlement goes above the signed maximum', async () => {
  const { message, signature } = await signed()
  const { witness, spender: _spender, ...permit } = message
  const proxy = { address: x402UptoPermit2ProxyAddress, abi: x402UptoPermit2ProxyABI, functionName: 'settle' } as const
  const settle = (amount: bigint, account: `0x${string}`) =>
    world.client.simulateContract({ ...proxy, args: [permit, amount, payer.account.address, witness, signature], account })
  await expect(settle(each, people.stranger.address)).rejects.toThrow('UnauthorizedFacilitator')
  await expect(settle(most + 1n, treasury())).rejects.toThrow('AmountExceedsPermitted')
  const upto = world.market.service.world.deps.chains.get(97)?.upto
  const terms = { from: address.parse(payer.account.address.toLowerCase()), to: agentWallet(), value: most, validAfter: 0n }
  const payment = upto?.transfer({ ...terms, validBefore: message.deadline, nonce: `0x${'1'.repeat(64)}`, signature })
  expect(() => payment && upto?.take(payment, most + 1n)).toThrow('above the signed amount')
})

test('a payer who withdraws the payment during the work is told so, and never reads the deliverable', async () => {
  const before = await balances()
  const it = await signed()
  const answer = pay(it)
  const { job_id } = await poet.take()
  await world.invalidate(payer.account, it.message.nonce)
  await poet.report(job_id, { status: 'completed', result: { response: 'An old silent pond' }, units: 3 })
  const refused = await answer
  expect(refused).toMatchObject({ status: 402, code: 'payment-required' })
  expect(JSON.stringify(refused.body)).not.toContain('silent pond')
  expect(await moved(before)).toEqual([0n, 0n])
})

test('a transfer that only names the nonces of paid calls in its input pays none of them', async () => {
  const calls = [await signed(), await signed()]
  const answers = calls.map(it => pay(it))
  const jobs = [await poet.take(), await poet.take()]
  for (const it of calls) await world.invalidate(payer.account, it.message.nonce)
  const transfer = encodeFunctionData({
    abi: parseAbi(['function transfer(address, uint256)']),
    args: [agentWallet(), 7n * each],
  })
  const data = concat([transfer, ...calls.map(it => pad(toHex(it.message.nonce), { size: 32 }))])
  await world.mined(world.client.sendTransaction({ to: world.usdc, data, account: payer.account }))
  for (const { job_id } of jobs)
    await poet.report(job_id, { status: 'completed', result: { response: 'An old silent pond' }, units: 7 })
  for (const refused of await Promise.all(answers)) {
    expect(refused).toMatchObject({ status: 402, code: 'payment-required' })
    expect(JSON.stringify(refused.body)).not.toContain('silent pond')
  }
}, 60_000)

test.each([2, 14, 26, 38, 50, 62, 74])('a service that crashes at call %i takes once what was used', async calls => {
  const before = await balances()
  const it = await signed()
  const ending = new AbortController()
  const work = async () => {
    while (!ending.signal.aborted) {
      const job = await ask(world.market, `/gateway/jobs/poll?agent=${poet.agentId}&timeout=1`).catch(() => undefined)
      const { data } = z.object({ job_id: z.string() }).safeParse(job?.body)
      const done = { status: 'completed', result: { response: 'An old pond' }, units: 7 }
      if (data) await poet.report(data.job_id, done).catch(() => undefined)
    }
  }
  const working = work()
  fuse.left = calls
  const answer = pay(it).catch(() => undefined)
  await Promise.race([answer, fuse.burnt])
  fuse.left = 0
  await world.market.restart()
  await answer
  const settled = await until('the settlement', async () => {
    const again = await pay(it)
    return again.status === 200 && again
  })
  ending.abort()
  await working
  expect(settled).toMatchObject({ body: { state: 'settled', amount: '0.07' } })
  expect(await moved(before)).toEqual([7n * each, 7n * each])
})

test('where the proxy for upto is not deployed, prices by use are not sold by x402', async () => {
  await world.removeUptoProxy()
  await world.market.restart()
  expect((await ask(world.market, '/x402/supported', { method: 'GET' })).body).toMatchObject({ kinds: [{ scheme: 'exact' }] })
  expect(await ask(world.market, path(), { body })).toMatchObject({ status: 404, code: 'offering-not-found' })
  expect((await ask(world.market, '/x402/discovery/resources', { method: 'GET' })).body).toMatchObject({ items: [] })
  await world.placeUptoProxy()
  await world.market.restart()
  expect(await ask(world.market, path(), { body })).toMatchObject({ status: 402 })
})
