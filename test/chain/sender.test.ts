import { parseEther, parseTransaction } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAsk } from '../../src/chain/embedded/devnode/ask.ts'
import { BroadcastRefused } from '../../src/domain/chains/broadcast.ts'
import type { Address, Hex } from '../../src/domain/hex.ts'
import { sendTransactions } from '../../src/workers/sendTransactions.ts'
import { account, countUp, inFlight } from '../store/rows.ts'
import { openSenders, type Senders } from './senders.ts'

let world: Senders
beforeAll(async () => {
  world = await openSenders()
})
afterAll(() => world.close())

// Each test has its own wallet, so that its nonces begin at zero.
let wallet: Address
let wallets = 0
beforeEach(async () => {
  wallet = await world.rich('agent', `97:agent-${wallets++}`)
})
afterEach(() => world.client.setAutomine(true))

/** A call that an agent's wallet may always send. */
const nothing = (to: Address) => ({ to, data: '0x', value: 0n, gas: 21_000n }) as const
const sentBy = async (sender: Address) => (await world.store.journal(97)).filter(it => it.sender === sender)
const decide = (key: string, after?: string) => world.decide(key, nothing(wallet), { sender: wallet, ...(after && { after }) })

test('a transaction that stays unmined is replaced by the same call under the same nonce with a higher fee', async () => {
  const { client } = world
  await client.setAutomine(false)
  await decide('stuck')
  await world.step()
  const [first] = await sentBy(wallet)
  const { maxFeePerGas: offered = 0n } = parseTransaction(first?.raw ?? '0x')
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: offered * 2n })
  await client.mine({ blocks: 1 })
  const done = await world.done('stuck')
  const sent = await sentBy(wallet)
  expect(sent.length).toBeGreaterThan(1)
  expect(sent.filter(it => it.mined)).toHaveLength(1)
  expect(done).toMatchObject({ state: 'confirmed', nonce: 0, hash: sent.find(it => it.mined)?.hash })
  const parsed = sent.map(it => parseTransaction(it.raw))
  expect(new Set(parsed.map(({ to, nonce, value, data }) => `${to} ${nonce} ${value} ${data}`)).size).toBe(1)
  const fees = parsed.map(it => it.maxFeePerGas ?? 0n).sort((a, b) => Number(a - b))
  for (const [at, fee] of fees.entries()) if (at > 0) expect(fee * 8n).toBeGreaterThanOrEqual((fees[at - 1] ?? 0n) * 9n)
})

test('a fee above the ceiling of its chain is never offered: the transaction waits, and the operator gets a log line', async () => {
  const { client, store } = world
  await client.setAutomine(false)
  await decide('dear')
  await world.step()
  await world.step({ replaceAfterMs: 0, replace: async () => undefined })
  expect(await store.senderNotes(97)).toEqual([{ sender: wallet, note: expect.stringContaining('lower fee') }])
  await world.done('dear')
  expect(await store.senderNotes(97)).toEqual([])
})

test('a transaction dropped by the pool is sent again as the same bytes', async () => {
  const { client } = world
  await client.setAutomine(false)
  await decide('dropped')
  await world.step()
  const [sent] = await sentBy(wallet)
  if (!sent) throw new Error('nothing was sent')
  await client.dropTransaction({ hash: sent.hash })
  await client.mine({ blocks: 1 })
  expect(await world.done('dropped')).toMatchObject({ state: 'confirmed', hash: sent.hash })
  expect(await sentBy(wallet)).toHaveLength(1)
})

test('a transaction whose block a reorganisation removes between the look and the record is sent again', async () => {
  const { client, chain, store } = world
  await client.setAutomine(false)
  await decide('removed')
  await world.step()
  await client.mine({ blocks: 1 })
  let isRemoved = false
  const receipt = async (hash: Hex) => {
    const found = await chain.receipt(hash)
    if (found && !isRemoved) await createAsk(world.external.url)('anvil_reorg', 1, [])
    isRemoved ||= found !== undefined
    return found
  }
  await world.step({ receipt })
  expect(isRemoved).toBe(true)
  expect(await store.intent('removed')).toMatchObject({ state: 'sent', nonce: 0 })
  expect(await world.done('removed')).toMatchObject({ state: 'confirmed', nonce: 0 })
  expect(await chain.transactionCount(wallet)).toBe(1)
})

/** Another party with the same private key. */
const intrude = async (nonce: number) => {
  const { account: key } = await world.wallets.holder(wallet)
  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n }
  const foreign = { type: 'eip1559', chainId: 97, nonce, to: account(0xf0e), value: 1n, gas: 21_000n, ...fees } as const
  await world.external.mined(world.client.sendRawTransaction({ serializedTransaction: await key.signTransaction(foreign) }))
}

test('an intent whose nonce another transaction used gets a new nonce once three block heads confirm it', async () => {
  const { client, store } = world
  await decide('overtaken')
  // Signed and stored, but lost before it reaches the node.
  await world.step({ broadcast: async () => undefined })
  await intrude(0)
  for (const _ of countUp(2)) {
    await world.step()
    expect(await store.intent('overtaken')).toMatchObject({ state: 'sent', nonce: 0 })
    await client.mine({ blocks: 1 })
  }
  expect(await world.done('overtaken')).toMatchObject({ state: 'confirmed', nonce: 1 })
  expect((await sentBy(wallet)).map(it => it.nonce)).toEqual([1])
})

test('the next nonce is never one that another transaction has used', async () => {
  await decide('before')
  await world.done('before')
  await intrude(1)
  await decide('behind')
  expect(await world.done('behind')).toMatchObject({ state: 'confirmed', nonce: 2 })
})

test('a missing nonce is filled by a waiting intent, or else by an empty transfer to the wallet itself', async () => {
  const { store } = world
  await decide('zero')
  await world.done('zero')
  await store.raiseNonce(97, wallet, 3)
  await decide('one')
  await decide('two')
  expect([await world.done('one'), await world.done('two')]).toMatchObject([{ nonce: 1 }, { nonce: 2 }])
  await store.raiseNonce(97, wallet, 5)
  // In flight above the gap, signed by a step that did not know about the gap.
  await decide('five')
  const seq = (await store.intent('five'))?.seq ?? 0
  const signed = await world.chain.sign({ sender: wallet, nonce: 5, call: nothing(wallet), purpose: 'five' })
  expect(await store.recordSigned(seq, signed)).toBe(true)
  expect(await world.done('five')).toMatchObject({ state: 'confirmed', nonce: 5 })
  expect(await Promise.all([3, 4].map(nonce => store.intent(`fill:97:${wallet}:${nonce}`)))).toMatchObject([
    { state: 'confirmed', nonce: 3 },
    { state: 'confirmed', nonce: 4 },
  ])
})

test.each([
  ['that the node has no room for', 'other', 'txpool is full'],
  ['that the node takes for one too many of its wallet', 'unfunded', 'insufficient funds: overshot'],
] as const)('a transaction %s does not block the missing nonce before it from being filled', async (_, refusal, words) => {
  const { store, chain, client } = world
  const [first, last] = [`first of ${refusal}`, `last of ${refusal}`]
  await decide(first)
  await world.done(first)
  await store.raiseNonce(97, wallet, 2)
  await decide(last)
  const signed = await chain.sign({ sender: wallet, nonce: 2, call: nothing(wallet), purpose: last })
  expect(await store.recordSigned((await store.intent(last))?.seq ?? 0, signed)).toBe(true)
  // Like geth with a full pool: it refuses transactions that cannot be in the next block.
  const broadcast: typeof chain.broadcast = async raw => {
    const isNext = parseTransaction(raw).nonce === (await client.getTransactionCount({ address: wallet }))
    if (!isNext) throw new BroadcastRefused(refusal, words)
    return chain.broadcast(raw)
  }
  for (const _ of countUp(3)) {
    await world.step({ broadcast }).catch((error: Error) => expect(error.message).toContain(words))
    await client.mine({ blocks: 1 })
  }
  await world.step({ broadcast })
  expect(await store.intent(last)).toMatchObject({ state: 'confirmed', nonce: 2 })
  expect(await store.intent(`fill:97:${wallet}:1`)).toMatchObject({ nonce: 1 })
})

test('a node that refuses the transactions of every wallet is a fault of the chain; of one or two it is not', async () => {
  const [other, third] = [await world.rich('agent', '97:agent-refused'), await world.rich('agent', '97:agent-refused-too')]
  const broadcast = () => Promise.reject(new BroadcastRefused('other', 'transactions are not taken here'))
  const fault = () =>
    world.step({ broadcast }).then(
      () => undefined,
      (error: Error) => error.name,
    )
  // What the treasury sent to the wallets of other tests is mined and seen.
  await world.client.mine({ blocks: 1 })
  await world.step()
  await decide('of one wallet')
  expect(await fault()).toBe('BroadcastRefused')
  await world.decide('of another wallet', nothing(other), { sender: other })
  expect(await fault()).toBe('BroadcastRefused')
  await world.decide('of a third wallet', nothing(third), { sender: third })
  expect(await fault()).toBe('Error')
  for (const it of ['of one wallet', 'of another wallet', 'of a third wallet']) await world.done(it)
  expect([await sentBy(wallet), await sentBy(other), await sentBy(third)]).toMatchObject([[{}], [{}], [{}]])
})

test('an intent that may not be signed does not block a missing nonce from being filled', async () => {
  const { store, chain, client } = world
  await decide('signed before')
  await world.done('signed before')
  await store.raiseNonce(97, wallet, 2)
  await decide('signed above')
  const above = await chain.sign({ sender: wallet, nonce: 2, call: nothing(wallet), purpose: 'signed above' })
  expect(await store.recordSigned((await store.intent('signed above'))?.seq ?? 0, above)).toBe(true)
  await decide('not signed')
  const sign: typeof chain.sign = async of => {
    if (of.purpose === 'not signed') throw new Error('above the limit of the day')
    return chain.sign(of)
  }
  for (const _ of countUp(3)) {
    await world.step({ sign }).catch((error: Error) => expect(error.message).toBe('above the limit of the day'))
    await client.mine({ blocks: 1 })
  }
  expect(await store.intent('signed above')).toMatchObject({ state: 'confirmed', nonce: 2 })
  expect(await store.intent('not signed')).toMatchObject({ state: 'waiting', nonce: undefined })
})

test('what waits is sent in the step that fills a missing nonce, and what filled it is signed once', async () => {
  const { store, chain } = world
  await decide('lowest')
  await world.done('lowest')
  await store.raiseNonce(97, wallet, 2)
  await decide('beyond')
  const beyond = await chain.sign({ sender: wallet, nonce: 2, call: nothing(wallet), purpose: 'beyond' })
  expect(await store.recordSigned((await store.intent('beyond'))?.seq ?? 0, beyond)).toBe(true)
  await decide('filling')
  await decide('waiting')
  const signed: string[] = []
  const sign: typeof chain.sign = async of => {
    signed.push(`${of.purpose} ${of.nonce}`)
    return chain.sign(of)
  }
  await world.step({ sign })
  expect(signed).toEqual(['filling 1', 'waiting 3'])
  expect([await store.intent('filling'), await store.intent('waiting')]).toMatchObject([{ nonce: 1 }, { nonce: 3 }])
})

test('64 concurrent intents of eight wallets are each mined once, in the order of their wallet', async () => {
  const { store, chain } = world
  const senders = await Promise.all(countUp(8).map(at => world.rich('agent', `97:crowd-${at}`)))
  const keys = senders.flatMap((sender, at) => countUp(8).map(nth => ({ key: `crowd:${at}:${nth}`, sender, nonce: nth })))
  await Promise.all(keys.map(({ key, sender }) => world.decide(key, nothing(sender), { sender })))
  const worker = sendTransactions({ store, chain, followers: [] })
  while ((await store.activeSenders(97)).some(it => senders.includes(it.sender))) await worker.runOnce()
  const intents = await Promise.all(keys.map(({ key }) => store.intent(key)))
  expect(intents.filter(it => it?.state === 'confirmed')).toHaveLength(64)
  // A slow chain may get a replacement with a higher fee: it is signed, and never mined beside the first.
  const mined = (await store.journal(97)).filter(it => it.mined && senders.includes(it.sender))
  expect(mined).toHaveLength(64)
  const nonces = Map.groupBy(intents, it => it?.sender)
  for (const of of nonces.values()) expect(of.map(it => it?.nonce)).toEqual(countUp(8))
})

test('a call that would fail at three block heads is given up with its reason, costs no gas, and fails its dependants', async () => {
  const { client, chain, store } = world
  const before = await client.getBalance({ address: wallet })
  await world.decide('doomed', chain.submit(999n, 'work'), { sender: wallet })
  await decide('after', 'doomed')
  for (const _ of countUp(4)) await world.step()
  expect(await store.intent('doomed')).toMatchObject({ state: 'waiting' })
  expect(await world.done('doomed')).toMatchObject({ state: 'reverted', hash: undefined, reason: expect.stringMatching(/job/i) })
  expect(await store.intent('after')).toMatchObject({ state: 'reverted' })
  expect(await sentBy(wallet)).toEqual([])
  expect(await client.getBalance({ address: wallet })).toBe(before)
})

test('a treasury without coin pauses with a log line, and continues once it has some', async () => {
  const { client, chain, store, treasury } = world
  await client.setBalance({ address: treasury, value: 0n })
  await world.decide('poor', chain.topUp(wallet))
  await world.step()
  await world.step()
  expect(await store.senderNotes(97)).toEqual([
    { sender: treasury, note: expect.stringContaining('send it native coin of chain 97') },
  ])
  expect(await store.intent('poor')).toMatchObject({ state: 'waiting' })
  await client.setBalance({ address: treasury, value: parseEther('10') })
  expect(await world.done('poor')).toMatchObject({ state: 'confirmed' })
  expect(await store.senderNotes(97)).toEqual([])
})

test('stored bytes whose wallet lost its coin wait for coin, and are then sent unchanged', async () => {
  const { client, chain, store, treasury } = world
  await world.decide('emptied', chain.topUp(wallet))
  await world.step({ broadcast: async () => undefined })
  const [stored] = (await inFlight(store, 97, treasury)).flatMap(it => it.transactions)
  await client.setBalance({ address: treasury, value: 0n })
  await world.step()
  expect(await store.senderNotes(97)).toMatchObject([{ sender: treasury }])
  await client.setBalance({ address: treasury, value: parseEther('10') })
  expect(await world.done('emptied')).toMatchObject({ state: 'confirmed', hash: stored?.hash })
})
