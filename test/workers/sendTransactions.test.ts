import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Address } from '../../src/domain/hex.ts'
import { limits } from '../../src/domain/limits.ts'
import type { Chain } from '../../src/ports.ts'
import { sendTransactions } from '../../src/workers/sendTransactions.ts'
import { followers } from '../assembled.ts'
import { account, countUp, inFlight, offering } from '../store/rows.ts'
import { openWorld, type World } from '../world.ts'

let world: World
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.close())

const [alice, bob] = [account(0xa), account(0xb)]

const decide = (key: string, sender: Address = alice, after?: string) =>
  world.store.addIntents([{ key, chainId: 97, sender, call: world.chain.topUp(account(1)), after }])

const send = (chain: Chain = world.chain) => sendTransactions({ store: world.store, chain, followers }).runOnce()

test('bytes are stored before they are sent', async () => {
  await decide('one')
  const before: string[][] = []
  const broadcast: Chain['broadcast'] = async raw => {
    before.push((await world.store.journal(97)).map(it => it.raw))
    return world.chain.broadcast(raw)
  }
  await send({ ...world.chain, broadcast })
  expect(before).toEqual([world.chain.broadcasts])
  expect(world.chain.broadcasts).toHaveLength(1)
})

test.each(['before', 'after'] as const)(
  'a broadcast that throws %s the bytes were sent is repeated with the same bytes, never with a new nonce',
  async when => {
    await decide('one')
    world.chain.breakBroadcast(when)
    await expect(send()).rejects.toThrow()
    await send()
    await send()
    expect(new Set(world.chain.broadcasts).size).toBe(1)
    world.chain.mine()
    await send()
    expect(await world.store.journal(97)).toMatchObject([
      { nonce: 0, raw: world.chain.broadcasts[0], mined: { blockNumber: 1n } },
    ])
    expect(await world.store.intent('one')).toMatchObject({ state: 'confirmed', nonce: 0 })
    expect(await world.store.activeSenders(97)).toEqual([])
  },
)

test('bytes stored but never sent are sent after a restart', async () => {
  await decide('one')
  const dying: Chain = { ...world.chain, broadcast: () => Promise.reject(new Error('killed')) }
  await expect(send(dying)).rejects.toThrow('killed')
  const [stored] = await world.store.journal(97)
  await send()
  expect(world.chain.broadcasts).toEqual([stored?.raw])
})

test('intents of one sender get consecutive nonces in the order of their decision, a bounded number at once', async () => {
  const keys = countUp(40).map(at => `intent ${at}`)
  for (const key of keys) await decide(key)
  await send()
  expect(await inFlight(world.store, 97, alice)).toHaveLength(limits.inFlight)
  await send()
  expect(await inFlight(world.store, 97, alice)).toHaveLength(limits.inFlight)
  await world.pump()
  const intents = await Promise.all(keys.map(key => world.store.intent(key)))
  expect(intents.map(it => [it?.state, it?.nonce])).toEqual(countUp(40).map(at => ['confirmed', at]))
})

test('a wallet used before this service continues from its own transaction count', async () => {
  world.chain.intrude(alice, { name: 'topUp', to: bob, amount: 1n })
  world.chain.mine()
  await decide('one')
  await world.pump()
  expect(await world.store.intent('one')).toMatchObject({ state: 'confirmed', nonce: 1 })
})

test('an intent waits for its predecessor, and fails with it', async () => {
  await decide('first')
  await decide('second', bob, 'first')
  await send()
  await send()
  expect(world.chain.broadcasts.length).toBeGreaterThan(0)
  expect(await world.store.intent('second')).toMatchObject({ state: 'waiting' })
  world.chain.refused.add('topUp')
  await world.pump()
  expect(await world.store.intent('first')).toMatchObject({ state: 'reverted' })
  expect(await world.store.intent('second')).toMatchObject({ state: 'reverted', nonce: undefined })
})

test('the wallets of a chain are read once a step, and once more where wallets are taken', async () => {
  const { store } = world
  for (const at of countUp(6)) await decide(`of ${at}`, account(0x10 + at))
  let reads = 0
  const activeSenders: typeof store.activeSenders = chainId => {
    reads += 1
    return store.activeSenders(chainId)
  }
  const step = () => sendTransactions({ store: { ...store, activeSenders }, chain: world.chain, followers }).runOnce()
  await step()
  expect([reads, world.chain.broadcasts.length]).toEqual([2, 6])
  await step()
  expect(reads).toBe(3)
})

test('a sender that cannot sign does not delay another, and every sender has finished at the end of the step', async () => {
  await decide('a', alice)
  await decide('b', bob)
  let open = 0
  const sign: Chain['sign'] = async of => {
    if (of.sender === alice) throw new Error('no key')
    open += 1
    for (let at = 0; at < 3; at += 1) await world.store.intent('b')
    open -= 1
    return world.chain.sign(of)
  }
  await expect(send({ ...world.chain, sign })).rejects.toThrow('no key')
  expect(open).toBe(0)
  expect(await world.store.intent('b')).toMatchObject({ state: 'sent', nonce: 0 })
  expect(await world.store.intent('a')).toMatchObject({ state: 'waiting', nonce: undefined })
})

const topUps = async () =>
  (await world.store.db.sql(`select key from intent where key like 'gas:%' order by seq`)).map(it => it.key)

test('a wallet without coin is topped up once for each transaction count', async () => {
  world.chain.gasless.add(alice)
  await decide('one')
  for (const _ of countUp(3)) await send()
  expect(await topUps()).toEqual([`gas:97:${alice}:0`])
  expect(await world.store.intent('one')).toMatchObject({ state: 'waiting' })
  await world.pump()
  expect(await world.store.intent('one')).toMatchObject({ state: 'confirmed', nonce: 0 })
  await decide('two')
  for (const _ of countUp(3)) await send()
  expect(await topUps()).toEqual([`gas:97:${alice}:0`, `gas:97:${alice}:1`])
  await world.pump()
  expect(await world.store.intent('two')).toMatchObject({ state: 'confirmed', nonce: 1 })
})

test('the treasury never tops up itself', async () => {
  world.chain.gasless.add(world.chain.treasury)
  await decide('one', world.chain.treasury)
  await send()
  expect(await topUps()).toEqual([])
})

test('a hire that the contract refuses cancels its job, with the reason, and moves no money', async () => {
  const agent = await world.agent('scribe', [offering()])
  world.fund(world.userWallet, 5_000_000n)
  const job = await world.hired('run-1', { agentId: agent.id, offeringId: 'notes' })
  world.chain.refused.add('hire')
  await world.pump()
  expect(await world.store.job(job.id)).toMatchObject({ state: 'cancelled', reason: expect.stringContaining('reverted') })
  expect(await world.chain.usdcBalance(world.userWallet)).toBe(5_000_000n)
  expect(await world.store.ledger({ jobId: job.id })).toEqual([])
  expect((await world.store.runEvents('run-1', 0, 100)).map(it => it.kind)).toEqual([
    'confirmed',
    'job.open',
    'transaction',
    'job.cancelled',
  ])
})

test('a mined registration gives the agent its id', async () => {
  await world.store.addAgent({
    key: '97:new',
    chainId: 97,
    handle: 'new',
    owner: alice,
    wallet: bob,
    name: 'New',
    description: '',
    endpointUrl: undefined,
    viaGateway: true,
    card: {},
  })
  const call = await world.chain.registerAgent({ owner: alice, wallet: bob, uri: '' })
  await world.store.addIntents([{ key: 'register:97:new', chainId: 97, sender: world.chain.treasury, call, after: undefined }])
  await world.pump()
  expect((await world.store.agent('97:new'))?.id).toBe(`97:${world.chain.addresses.registry}:1`)
})
