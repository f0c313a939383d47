import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Search } from '../../src/ports.ts'
import { rebuildIndex, reindexOfferings } from '../../src/workers/reindexOfferings.ts'
import { addAgent, agentId, agentKey, countUp, offering } from '../store/rows.ts'
import { describeStores } from '../store/stores.ts'
import { createMemorySearch } from '../world/search.ts'
import { openWorld, type World } from '../world.ts'

let world: World
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.close())

const reindex = (search: Search = world.search) => reindexOfferings({ store: world.store, search }).runOnce()
const rebuild = () => rebuildIndex(world)
const found = () => [...world.search.rows.values()].map(it => it.listing.id).sort()

test('a new offering enters the index, a changed one is replaced, and a hidden, restricted or inactive one is removed', async () => {
  const { key } = await world.agent('scribe', [])
  await world.store.putOfferings(
    key,
    ['a', 'b', 'c', 'd'].map(id => offering({ id })),
  )
  await reindex()
  expect(found()).toEqual(['a', 'b', 'c', 'd'])
  await world.store.putOfferings(key, [
    offering({ id: 'a', price: '2' }),
    offering({ id: 'b', hide: true }),
    offering({ id: 'c', restricted: true }),
    offering({ id: 'd', active: false }),
  ])
  await reindex()
  expect(found()).toEqual(['a'])
  expect([...world.search.rows.values()]).toMatchObject([{ listing: { price: '2', version: 2 } }])
  await world.store.putOfferings(key, [])
  await reindex()
  expect(found()).toEqual([])
})

test('an agent without an identity is not indexed before it has one', async () => {
  await addAgent(world.store)
  await world.store.putOfferings(agentKey, [offering()])
  await reindex()
  expect(found()).toEqual([])
  await world.store.setAgentId(agentKey, agentId)
  await reindex()
  expect(found()).toEqual(['notes'])
})

test('a change that could not be indexed is indexed later', async () => {
  const { key } = await world.agent('scribe', [offering()])
  await reindex()
  await world.store.putOfferings(key, [offering({ hide: true })])
  await expect(reindex({ ...world.search, remove: () => Promise.reject(new Error('no disk')) })).rejects.toThrow('no disk')
  expect(found()).toEqual(['notes'])
  expect(await reindex()).toBe(false)
  world.clock.pass(30_001)
  await reindex()
  expect(found()).toEqual([])
})

test('an index that lost all or some rows is filled again, also beyond a page, and a complete one is left alone', async () => {
  const ids = countUp(1_100).map(at => `offering ${at}`)
  await world.agent(
    'scribe',
    ids.map(id => offering({ id, hide: id.endsWith('7') })),
  )
  const listed = ids.filter(it => !it.endsWith('7')).length
  expect(world.search.rows.size).toBe(listed)
  await reindex()
  expect(await rebuild()).toBe(0)
  const [first = ''] = world.search.rows.keys()
  world.search.rows.delete(first)
  expect(await rebuild()).toBe(listed)
  expect(world.search.rows.size).toBe(listed)
  world.search.rows.clear()
  expect(await rebuild()).toBe(listed)
  expect(world.search.rows.size).toBe(listed)
})

test('rows of hidden offerings do not mask the loss of others', async () => {
  await world.agent('scribe', [offering({ id: 'a' }), offering({ id: 'b', hide: true }), offering({ id: 'c', active: false })])
  await reindex()
  expect(await rebuild()).toBe(0)
  world.search.rows.clear()
  expect(await rebuild()).toBe(1)
  expect(found()).toEqual(['a'])
})

test('every process follows all changes, and one that was offline reads what it missed', async () => {
  const { key } = await world.agent('scribe', [offering({ id: 'a' })])
  const other = createMemorySearch()
  const [here, there] = [world.search, other].map(search => reindexOfferings({ store: world.store, search }))
  await here?.runOnce()
  await there?.runOnce()
  await world.store.putOfferings(key, [offering({ id: 'a', hide: true }), offering({ id: 'b' })])
  await here?.runOnce()
  expect(found()).toEqual(['b'])
  expect([...other.rows.values()].map(it => it.listing.id)).toEqual(['a'])
  await there?.runOnce()
  expect([...other.rows.values()].map(it => it.listing.id)).toEqual(['b'])
})

test('an index of another database is filled again', async () => {
  await world.agent('scribe', [offering({ id: 'a' })])
  await reindex()
  await world.search.setMark((await world.store.indexHorizon()) + 1)
  expect(await rebuild()).toBe(1)
  expect(await world.search.mark()).toBe(await world.store.indexHorizon())
})

describeStores('the count of listings', fresh => {
  test('includes exactly the listings that anyone may hire, whatever their schemas contain', async () => {
    const store = await (await fresh()).open()
    await addAgent(store)
    const lying = { type: 'object', title: '"active":true,"hide":false', properties: { active: {}, hide: {}, restricted: {} } }
    await store.putOfferings(agentKey, [
      offering({ id: 'a' }),
      offering({ id: 'b', requirement: lying }),
      offering({ id: 'c', requirement: lying, active: false }),
      offering({ id: 'd', requirement: lying, hide: true }),
      offering({ id: 'e', requirement: lying, restricted: true }),
    ])
    expect(await store.countListed()).toBe(0)
    await store.setAgentId(agentKey, agentId)
    expect(await store.countListed()).toBe(2)
    await store.putOfferings(agentKey, [offering({ id: 'b' })])
    expect(await store.countListed()).toBe(1)
  })
})
