import { expect, onTestFinished, test } from 'vitest'
import type { Address } from '../../../src/domain/hex.ts'
import { toAccessChannel } from '../../../src/domain/net/channels.ts'
import { createAccess } from '../../../src/operations/gateway/access.ts'
import { createBounded } from '../../../src/operations/gateway/bounded.ts'
import { openWorld } from '../../world.ts'

const count = 400
const owner: Address = `0x${'1'.repeat(40)}`

const unread = () => Promise.reject(new Error('this poll reads the store'))

/** A gateway whose agents were all found at the same moment, and the names that were read since then. */
const openNames = async () => {
  const world = await openWorld()
  onTestFinished(world.close)
  const { store, clock, wakeups } = world
  const names = Array.from({ length: count }, (_, nth) => `bench-${nth}`)
  for (const [nth, handle] of names.entries()) {
    const key = `97:${handle}`
    const texts = { name: key, description: '', endpointUrl: undefined }
    await store.addAgent({ key, chainId: 97, handle, owner, wallet: owner, ...texts, viaGateway: true, card: {} })
    await store.setAgentId(key, `97:0x8004a818bfb912233c491871b3d84c89a494bd9e:${nth}`)
  }
  let reads: string[] = []
  const agentAccess = (key: string) => {
    reads.push(key)
    return store.agentAccess(key)
  }
  const access = createAccess({ store: { ...store, agentAccess }, clock, wakeups })
  const pollAll = async () => {
    reads = []
    for (const name of names) await access.find(name)
    return reads
  }
  await pollAll()
  return { world, pollAll, access }
}

test('agents that were found in the same second are not all read again in the same second', async () => {
  const { world, pollAll } = await openNames()
  const readsBySecond: number[] = []
  for (let second = 0; second < 60; second += 1) {
    world.clock.pass(1_000)
    readsBySecond.push((await pollAll()).length)
  }
  expect(Math.max(...readsBySecond)).toBeLessThan(count / 5)
  // Each name is read again, so a change whose wake-up was missed is noticed.
  expect(readsBySecond.slice(0, 31).reduce((sum, it) => sum + it, 0)).toBeGreaterThanOrEqual(count)
})

test('after a start the agents are read at once, so a first poll by id or handle reads nothing', async () => {
  const { world } = await openNames()
  const first = createAccess({ ...world, store: { ...world.store, agent: unread, agentsByHandle: unread, agentAccess: unread } })
  await first.preload()
  for (const name of ['bench-7', '97:0x8004a818bfb912233c491871b3d84c89a494bd9e:7']) {
    expect(first.remembered(name)).toEqual(expect.objectContaining({ isStrict: false, latches: true, hasSecret: false }))
    expect((await first.find(name)).agent?.key).toBe('97:bench-7')
  }
  await world.store.putAgentAccess('97:bench-7', { isStrict: true })
  expect(first.remembered('bench-7')).toBeUndefined()
  await first.preload()
  expect(first.remembered('bench-7')?.isStrict).toBe(true)
})

test('after notifications were lost no name is sure, and the agents are read at once again', async () => {
  const { world } = await openNames()
  const access = createAccess({ ...world, store: { ...world.store, agent: unread, agentsByHandle: unread, agentAccess: unread } })
  await access.preload()
  world.wakeups.notify('*')
  expect(access.remembered('bench-7')).toBeUndefined()
  await expect.poll(() => access.remembered('bench-7')?.agent?.key).toBe('97:bench-7')
})

test('a change of one agent has that agent read again at once, and no other', async () => {
  const { world, pollAll } = await openNames()
  const changed = '97:bench-7'
  world.wakeups.notify(toAccessChannel(changed))
  expect(await pollAll()).toEqual([changed])
  await world.store.putAgentAccess(changed, { isStrict: true })
  expect(await pollAll()).toEqual([changed])
  world.wakeups.notify('*')
  expect(await pollAll()).toHaveLength(count)
})

test('a change during a read is not lost', async () => {
  const { world, access } = await openNames()
  const key = '97:bench-3'
  world.wakeups.notify(toAccessChannel(key))
  const reading = access.find('bench-3')
  world.wakeups.notify(toAccessChannel(key))
  await reading
  expect(access.remembered('bench-3')).toBeUndefined()
})

test('a name whose time is over is answered from memory while it is read again once, for six seconds at most', async () => {
  const { world, access, pollAll } = await openNames()
  world.clock.pass(24_000)
  const before = access.remembered('bench-3')
  expect(before?.agent?.key).toBe('97:bench-3')
  expect(access.remembered('bench-3')).toBe(before)
  await expect.poll(() => access.remembered('bench-3') === before).toBe(false)
  expect((await pollAll()).filter(it => it === '97:bench-3')).toEqual([])
  world.clock.pass(30_000)
  expect(access.remembered('bench-5')).toBeUndefined()
})

test('agents that poll with their ids are read again together, in one statement', async () => {
  const { world } = await openNames()
  const asked: number[] = []
  const accessOf: typeof world.store.accessOf = ids => {
    asked.push(ids.length)
    return world.store.accessOf(ids)
  }
  const store = { ...world.store, accessOf, agent: unread, agentsByHandle: unread, agentAccess: unread }
  const access = createAccess({ ...world, store })
  await access.preload()
  const ids = Array.from({ length: count }, (_, nth) => `97:0x8004a818bfb912233c491871b3d84c89a494bd9e:${nth}`)
  const before = ids.map(access.remembered)
  world.clock.pass(15_000)
  expect(ids.map(access.remembered)).toEqual(before)
  await expect.poll(() => ids.filter((it, at) => access.remembered(it) !== before[at]).length).toBeGreaterThan(count / 10)
  expect(asked).toHaveLength(1)
})

test('the only name whose time is over is read again once, however often it is used meanwhile', async () => {
  const { world } = await openNames()
  let reads = 0
  const accessOf: typeof world.store.accessOf = ids => {
    reads += 1
    return world.store.accessOf(ids)
  }
  const access = createAccess({ ...world, store: { ...world.store, accessOf } })
  const id = '97:0x8004a818bfb912233c491871b3d84c89a494bd9e:3'
  await access.find(id)
  const before = access.remembered(id)
  world.clock.pass(24_000)
  for (let poll = 0; poll < 20; poll += 1) expect(access.remembered(id)).toBe(before)
  await expect.poll(() => access.remembered(id) === before).toBe(false)
  expect(reads).toBe(1)
})

test('a change is never answered from memory, also while an old name is read again', async () => {
  const { world, access } = await openNames()
  world.clock.pass(24_000)
  expect(access.remembered('bench-3')?.isStrict).toBe(false)
  await world.store.putAgentAccess('97:bench-3', { isStrict: true })
  expect(access.remembered('bench-3')).toBeUndefined()
  expect(await access.find('bench-3')).toMatchObject({ isStrict: true })
})

test('a bounded map evicts the entries set longest ago, and keeps the others', () => {
  const known = createBounded<number>(128)
  for (let at = 0; at < 128; at += 1) known.set(`${at}`, at)
  known.set('0', 0)
  known.set('128', 128)
  expect([known.get('0'), known.get('1'), known.get('2'), known.get('3'), known.get('128')]).toEqual([
    0,
    undefined,
    undefined,
    3,
    128,
  ])
  for (let at = 129; at < 1_000; at += 1) known.set(`${at}`, at)
  expect(known.entries().length).toBeLessThanOrEqual(128)
  expect(known.get('999')).toBe(999)
})
