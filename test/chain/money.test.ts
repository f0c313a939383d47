import { createPublicClient, http, parseTransaction } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAsk } from '../../src/chain/embedded/devnode/ask.ts'
import { hashText } from '../../src/chain/signing/calls.ts'
import { SigningRefused } from '../../src/chain/signing/signerPolicy.ts'
import type { Address } from '../../src/domain/hex.ts'
import { openWorld, usdc, type World } from './world.ts'

let world: World
let client: Address
let provider: Address

beforeAll(async () => {
  world = await openWorld()
  ;[client, provider] = [await world.client('alice'), await world.provider('97:echo')]
})
afterAll(() => world.close())

test('a hire, a delivery and a completion move the USDC to the agent, less the fee', async () => {
  const { chain, settle } = world
  const supply = await chain.usdcSupply()
  const { chainJobId, receipt } = await world.hired('job_paid', client, provider)
  expect(await chain.job(chainJobId)).toMatchObject({
    client,
    provider,
    evaluator: chain.evaluator,
    budget: usdc(10),
    status: 'funded',
  })
  expect(await chain.usdcBalance(chain.addresses.escrow)).toBe(usdc(10))

  await settle(provider, chain.submit(chainJobId, 'the work'))
  const done = await settle(chain.evaluator, chain.complete(chainJobId, 'fits'))

  expect((await chain.job(chainJobId)).status).toBe('completed')
  expect(await chain.usdcBalance(provider)).toBe(usdc(10) - 250_000n)
  expect(await chain.usdcBalance(client)).toBe(usdc(90))
  expect(await chain.usdcBalance(chain.treasury)).toBe(250_000n)
  expect(await chain.usdcSupply()).toBe(supply)

  const events = await chain.events(receipt.blockNumber, done.blockNumber)
  expect(events).toMatchObject([
    { name: 'JobCreated', chainJobId, client, provider, jobKey: 'job_paid', txHash: receipt.hash },
    { name: 'JobFunded', chainJobId, client, amount: usdc(10), blockHash: receipt.blockHash },
    { name: 'JobSubmitted', chainJobId, deliverable: hashText('the work') },
    { name: 'PaymentReleased', chainJobId, provider, amount: usdc(10) - 250_000n, txHash: done.hash },
  ])
})

test('a rejected job returns the whole budget to the client', async () => {
  const { chain } = world
  const before = await chain.usdcBalance(client)
  const { chainJobId } = await world.hired('job_rejected', client, provider)
  const { blockNumber } = await world.settle(chain.evaluator, chain.reject(chainJobId, 'does not fit: '.repeat(9)))

  expect((await chain.job(chainJobId)).status).toBe('rejected')
  expect(await chain.usdcBalance(client)).toBe(before)
  expect(await chain.events(blockNumber, blockNumber)).toMatchObject([{ name: 'Refunded', chainJobId, client, amount: usdc(10) }])
})

test('a refund before the expiry is refused by the escrow, and the receipt says so', async () => {
  const { chain } = world
  const { chainJobId } = await world.hired('job_early', client, provider)
  const receipt = await world.settle(chain.treasury, chain.claimRefund(chainJobId))
  expect(receipt.success).toBe(false)
  expect((await chain.job(chainJobId)).status).toBe('funded')
})

test('an agent is registered to its owner with its wallet', async () => {
  const { chain } = world
  const owner = '0x00000000000000000000000000000000000000aa'
  const ids = []
  for (const name of ['first', 'second']) {
    const wallet = await world.wallets.ensure('agent', `97:${name}`)
    const call = await chain.registerAgent({ owner, wallet, uri: `https://example.org/agents/${name}.json` })
    const { hash, success } = await world.settle(chain.treasury, call)
    expect(success).toBe(true)
    ids.push(await chain.registeredAgent(hash))
  }
  expect(ids).toEqual([0n, 1n])
})

test('bytes that were already sent count as sent', async () => {
  const { chain } = world
  const { hash, raw } = await world.send(chain.treasury, chain.topUp(client))
  await chain.broadcast(raw)
  await world.mined(hash)
  await chain.broadcast(raw)
  expect((await chain.receipt(hash))?.success).toBe(true)
})

test('a transaction that the node refuses raises an error with the reason', async () => {
  const poor = await world.wallets.ensure('agent', '97:poor')
  const { raw } = await world.chain.sign({ sender: poor, nonce: 0, call: world.chain.submit(1n, 'work') })
  await expect(world.chain.broadcast(raw)).rejects.toThrow(/insufficient funds/i)
  expect(await world.chain.hasGas(poor, world.chain.submit(1n, 'work'))).toBe(false)
  expect(await world.chain.hasGas(provider, world.chain.submit(1n, 'work'))).toBe(true)
})

test('a wallet gets no signature for a call that the table of its role does not list', async () => {
  const { chain } = world
  await expect(chain.sign({ sender: client, nonce: 0, call: chain.topUp(provider) })).rejects.toThrow(SigningRefused)
  await expect(
    chain.sign({ sender: client, nonce: 0, call: { ...chain.submit(1n, 'work'), to: chain.addresses.usdc } }),
  ).rejects.toThrow(SigningRefused)
  const stolen = { jobId: 'job_stolen', client: provider, provider: client, budget: 1n, expiresAt: Date.now() + 3_600_000 }
  await expect(chain.hire(stolen)).rejects.toThrow(SigningRefused)
})

test('what is not on the chain is undefined, not an error', async () => {
  const { chain } = world
  const nowhere = hashText('nowhere')
  expect(await chain.receipt(nowhere)).toBeUndefined()
  expect(await chain.registeredAgent(nowhere)).toBeUndefined()
  expect(await chain.blockHash(10n ** 9n)).toBeUndefined()
  const head = await chain.head()
  expect(await chain.blockHash(head.number)).toBe(head.hash)
})

// Must run late, because it moves the chain's clock forward for all later tests.
test('anyone can return the money of an expired job to its client', async () => {
  const { chain } = world
  const before = await chain.usdcBalance(client)
  const { chainJobId } = await world.hired('job_expired', client, provider)
  await createAsk(world.embedded.rpcUrl)('evm_increaseTime', 3_601)
  const { success } = await world.settle(chain.treasury, chain.claimRefund(chainJobId))
  expect(success).toBe(true)
  expect((await chain.job(chainJobId)).status).toBe('expired')
  expect(await chain.usdcBalance(client)).toBe(before)
})

test('every gas limit leaves at least a quarter of the gas that was used as reserve', async () => {
  const node = createPublicClient({ transport: http(world.embedded.rpcUrl) })
  const signed = (await world.store.journal(97)).map(({ hash, raw }) => ({ hash, gas: parseTransaction(raw).gas ?? 0n }))
  const measured = await Promise.all(
    signed.map(async ({ hash, gas }) => ({ gas, used: (await node.getTransactionReceipt({ hash })).gasUsed })),
  )
  expect(measured.filter(({ gas, used }) => used > 21_000n && gas * 4n < used * 5n)).toEqual([])
})
