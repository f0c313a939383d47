import { expect, test } from 'vitest'
import { updateAgent } from '../../../src/operations/agents/updateAgent.ts'
import { openWorld } from '../../world.ts'
import { account, addAgent, agentId, agentKey, countUp, newAgent, offering } from '../rows.ts'
import { describeStores } from '../stores.ts'

describeStores('agents and offerings', fresh => {
  test('a handle belongs to the first owner who registers it on a chain', async () => {
    const store = await (await fresh()).open()
    const added = await Promise.all([
      addAgent(store),
      addAgent(store, { owner: account(9) }),
      addAgent(store, { owner: account(8) }),
    ])
    expect(added.filter(Boolean)).toHaveLength(1)
    expect(await addAgent(store, { key: '97:Scribe', handle: 'Scribe' })).toBeUndefined()
    expect(await addAgent(store, { key: '84532:scribe', chainId: 84532 })).toMatchObject({ key: '84532:scribe', id: undefined })
    expect((await store.agentsByHandle('scribe')).map(it => it.key)).toEqual([agentKey, '84532:scribe'])
  })

  test('an agent is listed and counted once it has an identity', async () => {
    const store = await (await fresh()).open()
    await addAgent(store)
    await addAgent(store, { key: '84532:scribe', chainId: 84532 })
    expect(await store.agents({ limit: 9, offset: 0 })).toEqual([])
    await store.setAgentId(agentKey, agentId)
    await store.setAgentId('84532:scribe', `84532:${account(3)}:0`)
    expect(await store.countAgents({})).toBe(2)
    expect(await store.countAgents({ chainId: 97 })).toBe(1)
    expect((await store.agents({ limit: 1, offset: 0 })).map(it => it.key)).toEqual(['84532:scribe'])
    expect(await store.agents({ owner: account(7), limit: 9, offset: 0 })).toEqual([])
  })

  test('an identity is minted once, and the agent is found by id and by key', async () => {
    const store = await (await fresh()).open()
    await addAgent(store)
    expect(await store.setAgentId(agentKey, agentId)).toMatchObject({ id: agentId })
    expect(await store.setAgentId(agentKey, `${agentId}9`)).toBeUndefined()
    expect(await store.agent(agentId)).toEqual(await store.agent(agentKey))
    expect([...(await store.ownersOf([agentId, `${agentId}9`]))]).toEqual([[agentId, (await store.agent(agentId))?.owner]])
    expect((await store.ownersOf([])).size).toBe(0)
    await expect(addAgent(store, { key: 'x', handle: `${account(1)}:7` })).rejects.toThrow()
  })

  test('the version of an offering counts its changes, also across a removal', async () => {
    const store = await (await fresh()).open()
    await addAgent(store)
    await store.setAgentId(agentKey, agentId)
    const versions = async () => (await store.offerings(agentId)).map(it => `${it.id} ${it.price} v${it.version}`)

    await store.putOfferings(agentKey, [offering(), offering({ id: 'talk' })])
    expect(await versions()).toEqual(['notes 1.5 v1', 'talk 1.5 v1'])
    await store.putOfferings(agentKey, [offering({ id: 'talk' }), offering({ price: '2' })])
    expect(await versions()).toEqual(['talk 1.5 v1', 'notes 2 v2'])
    await store.putOfferings(agentKey, [])
    expect(await store.listing(agentId, 'notes')).toBeUndefined()
    await store.putOfferings(agentKey, [offering({ price: '3' })])
    expect(await versions()).toEqual(['notes 3 v3'])
    expect(await store.listing(agentId, 'notes')).toEqual({
      ...offering({ price: '3' }),
      agentId,
      agentHandle: 'scribe',
      agentName: 'Scribe',
      chainId: 97,
      version: 3,
    })
    const asked = ['notes', 'talk', 'unknown'].map(offeringId => ({ agentId, offeringId }))
    expect(await store.listingsByKey(asked)).toEqual([await store.listing(agentId, 'notes')])
  })

  test('of two concurrent lists of offerings one is stored completely', async () => {
    const [one, two] = await (await fresh()).openRivals()
    await addAgent(one)
    await one.setAgentId(agentKey, agentId)
    const list = (name: string) => countUp(5).map(at => offering({ id: `${name}${at}` }))
    await Promise.all([one.putOfferings(agentKey, list('a')), two.putOfferings(agentKey, list('b'))])
    const ids = (await one.offerings(agentId)).map(it => it.id).join(' ')
    expect(['a0 a1 a2 a3 a4', 'b0 b1 b2 b3 b4']).toContain(ids)
  })

  test('concurrent changes of one agent are all stored, each list complete', async () => {
    const stores = await (await fresh()).openRivals()
    await addAgent(stores[0])
    await stores[0].setAgentId(agentKey, agentId)
    const world = await openWorld()
    const list = (at: number) => countUp(3).map(place => ({ id: `${at}-${place}`, name: 'Notes', price: 1 }))
    const change = (at: number) =>
      updateAgent.call(
        { agent: agentId, metadata: { [`from${at}`]: at }, job_offerings: list(at) },
        { ...world.deps, store: stores[at % 2 ? 0 : 1] },
        { wallet: newAgent.owner },
      )
    await Promise.all(countUp(12).map(change))
    await world.close()
    const metadata = Object.fromEntries(countUp(12).map(at => [`from${at}`, at]))
    expect(await stores[1].agent(agentKey)).toMatchObject({ card: { metadata } })
    const ids = (await stores[0].offerings(agentId)).map(it => it.id)
    expect(countUp(12).map(at => list(at).map(it => it.id))).toContainEqual(ids)
  })

  test('of concurrent changes conditional on one state, one is made', async () => {
    const stores = await (await fresh()).openRivals()
    await addAgent(stores[0])
    await stores[0].setAgentId(agentKey, agentId)
    const world = await openWorld()
    const { version = 0 } = (await stores[0].agent(agentKey)) ?? {}
    const change = (at: number) =>
      updateAgent.call(
        { agent: agentId, description: `${at}` },
        { ...world.deps, store: stores[at % 2 ? 0 : 1] },
        { wallet: newAgent.owner, ifMatch: `"${version}"` },
      )
    const ends = await Promise.allSettled(countUp(12).map(change))
    await world.close()
    const made = ends.findIndex(it => it.status === 'fulfilled')
    const refused = ends.flatMap(it => (it.status === 'rejected' ? [it.reason] : []))
    expect(refused).toMatchObject(countUp(11).map(() => ({ type: 'precondition-failed' })))
    expect(await stores[1].agent(agentKey)).toMatchObject({ description: `${made}`, version: version + 1 })
  })

  test('listings of agents without an identity are not shown', async () => {
    const store = await (await fresh()).open()
    await addAgent(store)
    await store.putOfferings(agentKey, [offering()])
    expect(await store.listings({ limit: 10, offset: 0 })).toEqual([])
    await store.setAgentId(agentKey, agentId)
    expect(await store.listings({ limit: 10, offset: 0 })).toHaveLength(1)
  })

  test('every change of a listed field is reported to the search index, and only the newest of an agent is kept', async () => {
    const { open, wakeups } = await fresh()
    const store = await open()
    await addAgent(store)
    await store.setAgentId(agentKey, agentId)
    await store.putOfferings(agentKey, [offering()])
    await store.updateAgent(agentKey, {
      name: 'S',
      description: '',
      endpointUrl: 'https://a.example',
      viaGateway: false,
      card: { a: 1 },
    })
    const { changes, horizon } = await store.indexChanges(0)
    expect(changes.map(it => it.key)).toEqual([`${agentKey}:3`])
    expect(changes.every(it => it.agentKey === agentKey && it.mark < horizon)).toBe(true)
    expect((await store.indexChanges(horizon)).changes).toEqual([])
    expect(wakeups).toEqual(['outbox:index', 'outbox:index', 'outbox:index'])
    expect(await store.agent(agentKey)).toMatchObject({ name: 'S', viaGateway: false, card: { a: 1 } })
  })

  test('a reader of index changes misses none, in whatever order transactions end', async () => {
    const [one, two] = await (await fresh()).openRivals()
    for (const handle of ['slow', 'quick']) await addAgent(one, { ...newAgent, key: `97:${handle}`, handle })
    const before = await two.indexHorizon()
    const begun = Promise.withResolvers<void>()
    const marked = begun.promise.then(() => two.indexHorizon())
    const quick = marked
      .then(() => two.addIndexChange('97:quick', 'quick'))
      .then(async () => (await two.indexChanges(before)).changes.map(it => it.key))
    await one.atomically(async tables => {
      await tables.addIndexChange('97:slow', 'slow')
      begun.resolve()
      // On a server the other transaction ends first. A file has one writer, which waits for this one.
      if (one.db.dialect === 'postgres') expect(await quick).toEqual(['quick'])
    })
    await quick
    // The horizon was read while the slow transaction was open, so the changes after it include both.
    const { horizon, changes } = await two.indexChanges(await marked)
    expect(changes.map(it => it.key).toSorted()).toEqual(['quick', 'slow'])
    expect((await two.indexChanges(horizon)).changes).toEqual([])
  })

  test('a wallet and a secret are created once, also under concurrent requests', async () => {
    const [one, two] = await (await fresh()).openRivals()
    const wallets = await Promise.all(
      countUp(10).map(at =>
        [one, two][at % 2]?.addWallet({ address: account(at), role: 'user', owner: account(99), sealedKey: `s${at}` }),
      ),
    )
    expect(new Set(wallets.map(it => it?.address)).size).toBe(1)
    expect(await one.walletByAddress(wallets[0]?.address ?? '0x')).toEqual(await two.wallet('user', account(99)))
    const secrets = await Promise.all(countUp(10).map(at => [one, two][at % 2]?.addSecret('jwt', `sealed${at}`)))
    expect(new Set(secrets).size).toBe(1)
    expect(await two.secret('jwt')).toBe(secrets[0])
    expect(await two.secret('none')).toBeUndefined()
  })
})
