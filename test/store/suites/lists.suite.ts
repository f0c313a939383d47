import { expect, test } from 'vitest'
import { nobody } from '../../../src/domain/hex.ts'
import { boardOf } from '../../../src/features/jobBoard/ports.ts'
import type { Db } from '../../../src/store/engine/db.ts'
import { toPushQuery } from '../../../src/store/jobs/pushes.ts'
import { toCountQuery, toPickQuery, toTagQuery } from '../../../src/store/market/services.ts'
import { fillMarket } from '../manyRows.ts'
import { addAgent, addQueuedJob, agentId, agentKey, countUp, newAgent, offering } from '../rows.ts'
import { describeStores, type OpenStore } from '../stores.ts'

const wallet = `0x${'7'.repeat(40)}` as const
const dayMs = 86_400_000

const post = (store: OpenStore, id: string, more: { isProven?: boolean; expiresAt?: number; description?: string } = {}) =>
  boardOf(store).addPostedJob({
    ...{ id, chainId: 97, description: 'Paint it', rewardAmount: '1', rewardToken: 'USDC', clientId: wallet, clientKey: wallet },
    ...{ isProven: false, providerId: '', providerKey: '', evaluatorId: wallet, evaluatorKey: wallet, metadata: {} },
    ...{ expiresAt: Date.now() + dayMs, source: '192.0.2.1', ...more },
  })

/** How the database reads a statement, one line a step. */
const planOf = async ({ dialect, sql }: Db, [text, params]: ReturnType<typeof toPickQuery>): Promise<string> => {
  const rows = await sql(`explain ${dialect === 'sqlite' ? 'query plan' : ''} ${text}`, params)
  return rows.map(it => `${it.detail ?? it['QUERY PLAN']}`).join('\n')
}

describeStores('lists', fresh => {
  test('an idempotency key is forgotten after its time, and not before', async () => {
    const store = await (await fresh()).open()
    await store.claimKey('ann', 'old', 'hash')
    await store.answerKey('ann', 'old', { done: true })
    expect(await store.sweepKeys(dayMs)).toBe(false)
    expect(await store.claimKey('ann', 'old', 'hash')).toMatchObject({ answer: { done: true } })
    await store.db.tx(sql => sql('update idempotency set at = at - $1', [2 * dayMs]))
    await store.claimKey('ann', 'new', 'hash')
    await store.sweepKeys(dayMs)
    expect(await store.claimKey('ann', 'new', 'hash')).not.toBe('claimed')
    expect(await store.claimKey('ann', 'old', 'hash')).toBe('claimed')
  })

  test('listed offerings are filtered by tag, price and agent, sorted, and their tags counted', async () => {
    const store = await (await fresh()).open()
    await addAgent(store)
    await store.setAgentId(agentKey, agentId)
    await store.putOfferings(agentKey, [
      offering({ id: 'slow', price: '10', slaMinutes: 90, tags: ['text', 'charts'], sample: 'One line', main: 'line' }),
      offering({ id: 'dear', price: '9.5', slaMinutes: 100, tags: ['text'], examples: ['Say it'] }),
      offering({ id: 'plain', price: '0' }),
      offering({ id: 'hidden', hide: true, tags: ['text'] }),
    ])
    const page = { limit: 9, offset: 0, order: 'newest' as const }
    const idsOf = async (of: Partial<Parameters<OpenStore['listed']>[0]>) =>
      (await store.listed({ ...page, ...of })).map(it => it.id)
    expect(await idsOf({})).toEqual(['slow', 'dear', 'plain'])
    expect(await idsOf({ order: 'price' })).toEqual(['plain', 'dear', 'slow'])
    expect(await idsOf({ order: 'speed', tag: 'text' })).toEqual(['slow', 'dear'])
    expect(await idsOf({ order: 'jobs', maxPrice: '9.5', limit: 1, offset: 1 })).toEqual(['plain'])
    expect([await idsOf({ agentIds: [] }), await idsOf({ agentIds: [agentId], tag: 'charts' })]).toEqual([[], ['slow']])
    const sold = { chainIds: [97], usageChainIds: [], slaMinutes: 90 }
    expect((await store.soldListings({ ...sold, limit: 9, offset: 0 })).map(it => it.id)).toEqual(['slow'])
    expect([await store.countSold({ ...sold, slaMinutes: 100 }), await store.countSold({ ...sold, chainIds: [56] })]).toEqual([
      2, 0,
    ])
    expect([
      await store.countSold({ ...sold, chainIds: [] }),
      await store.soldListings({ ...sold, limit: 1, offset: 1 }),
    ]).toEqual([0, []])
    expect(await store.countListedBy({ tag: 'text', maxPrice: '9.99' })).toBe(1)
    expect(await store.listedTags({ chainId: 97 }, 1)).toEqual([{ tag: 'text', count: 2 }])
    expect(await store.listedTags({ maxPrice: '9.5' }, 9)).toEqual([{ tag: 'text', count: 1 }])
    expect(await store.listed({ ...page, tag: 'charts' })).toMatchObject([
      { tags: ['text', 'charts'], sample: 'One line', main: 'line' },
    ])
  })

  test('each page and total of the list of services is read from an index, also with filters that match few offerings', async () => {
    const store = await (await fresh()).open()
    await fillMarket(store, { agents: 2_000, jobs: 500 })
    const isIndexOnly = async (query: ReturnType<typeof toPickQuery>) => {
      const plan = await planOf(store.db, query)
      const readsTable = /(SCAN|SEARCH) o( USING INDEX.*)?$|(Index Scan using \S+|(Seq|Heap) Scan) on offering o/m
      expect(plan, plan).not.toMatch(readsTable)
      return plan
    }
    const filters = [{}, { chainId: 97 }, { maxPrice: '9' }]
    for (const filter of filters)
      for (const order of ['newest', 'sample', 'price', 'speed', 'jobs'] as const) {
        const plan = await isIndexOnly(toPickQuery({ ...filter, order, limit: 50, offset: 100 }))
        expect(plan, `${order}:\n${plan}`).not.toMatch(/TEMP B-TREE FOR ORDER BY|-> +Sort +\(/)
      }
    // The offerings of one tag are few enough to be sorted.
    for (const order of ['newest', 'sample', 'price', 'speed', 'jobs'] as const)
      await isIndexOnly(toPickQuery({ order, tag: 'tag-7', limit: 50, offset: 100 }))
    for (const filter of [...filters, { chainId: 56 }, { maxPrice: '0.1' }]) {
      expect(await planOf(store.db, toPickQuery({ ...filter, order: 'sample', limit: 50, offset: 0 }))).not.toMatch(
        /Seq Scan on offering|SCAN o$/m,
      )
      await isIndexOnly(toCountQuery(filter))
      await isIndexOnly(toCountQuery({ ...filter, tag: 'tag-7' }))
      await isIndexOnly(toTagQuery(filter, 5))
    }
    const jobs = await planOf(store.db, [
      'select chain_id, state, budget, fee, count(*) from job where updated_at < $1 group by chain_id, state, budget, fee',
      [Date.now()],
    ])
    if (store.db.dialect === 'sqlite') expect(jobs).toMatch(/^SCAN job USING COVERING INDEX job_counted$/)
  })

  test('totals and tags of the market count what anyone may hire', async () => {
    const store = await (await fresh()).open()
    await fillMarket(store, { agents: 2_000, jobs: 500 })
    await addAgent(store, { key: 'pending', handle: 'pending' })
    await store.putOfferings('pending', [offering({ tags: ['tag-7'] })])
    for (const chainId of [undefined, 97]) {
      const onChain = chainId === undefined ? {} : { chainId }
      // The agent from which the market was filled has one.
      expect(await store.countListedBy(onChain)).toBe(5 * 2_000 + 1)
      expect(await store.countListedBy({ ...onChain, tag: 'tag-7' })).toBe((5 * 2_000) / 40)
      expect((await store.listedTags(onChain, 40)).find(it => it.tag === 'tag-7')).toEqual({ tag: 'tag-7', count: 250 })
    }
    const tagged = await store.listed({ order: 'newest', limit: 9, offset: 0, tag: 'tag-7' })
    expect(tagged.map(it => it.tags)).toEqual(countUp(9).map(() => ['tag-7']))
    expect(await store.countListedBy({ chainId: 56 })).toBe(0)
    expect(await store.listedTags({ chainId: 56 }, 5)).toEqual([])
  })

  test('the offerings of an agent are listed and counted once it has its identity, and no longer once it is removed', async () => {
    const store = await (await fresh()).open()
    await addAgent(store)
    await store.putOfferings(agentKey, [offering({ tags: ['text'] })])
    const page = { order: 'newest' as const, limit: 9, offset: 0 }
    const seen = async () => [
      (await store.listed(page)).length,
      (await store.listed({ ...page, tag: 'text', chainId: 97 })).length,
      await store.countListedBy({}),
      await store.countListedBy({ tag: 'text' }),
      (await store.listedTags({}, 9)).length,
    ]
    expect(await seen()).toEqual([0, 0, 0, 0, 0])
    await store.setAgentId(agentKey, agentId)
    expect(await seen()).toEqual([1, 1, 1, 1, 1])
    await store.retireAgent(agentKey)
    expect(await seen()).toEqual([0, 0, 0, 0, 0])
    await store.putOfferings(agentKey, [offering({ tags: ['text'] })])
    expect(await seen()).toEqual([1, 1, 1, 1, 1])
  })

  test('jobs that wait for a call are found without reading those that have ended', async () => {
    const store = await (await fresh()).open()
    await fillMarket(store, { agents: 10, jobs: 5_000 })
    const plan = await planOf(store.db, toPushQuery(200, { agents: [], owners: [] }))
    expect(plan).not.toMatch(/^SCAN job$|Seq Scan on job\b/m)
  })

  test('offerings are sorted by the jobs that others paid, which a reorganisation and a rebuild take back', async () => {
    const store = await (await fresh()).open()
    await addAgent(store)
    await store.setAgentId(agentKey, agentId)
    const paid = async () => Number((await store.db.sql('select paid_jobs as n from agent where key = $1', [agentKey]))[0]?.n)
    const id = await addQueuedJob(store, 'paid')
    await store.leaseJob(agentId)
    for (const event of ['submit', 'accept', 'confirm'] as const) await store.moveJob(id, event)
    expect(await paid()).toBe(1)
    const most = () => store.mostPaid({ by: 'revenue', chainId: 97, limit: 9 })
    const job = await store.job(id)
    expect(await most()).toEqual([{ agentId, paidJobs: 1, earned: Number((job?.budget ?? 0n) - (job?.fee ?? 0n)) }])
    expect((await most())[0]?.earned).toBeGreaterThan(0)
    await store.forgetChain(97)
    expect([await paid(), await most()]).toEqual([0, []])
  })

  test('the board is filtered, searched and counted', async () => {
    const store = await (await fresh()).open()
    await post(store, 'plain')
    await post(store, 'over', { expiresAt: 1 })
    await post(store, 'odd', { description: '50%_\\ OFF' })
    const at = { now: Date.now(), limit: 9, offset: 0 }
    const idsOf = async (of: Parameters<ReturnType<typeof boardOf>['board']>[0]) =>
      (await boardOf(store).board(of)).page.map(it => it.id)
    expect(await idsOf({ ...at, status: 'open', chainId: 97 })).toEqual(['odd', 'plain'])
    expect(await idsOf({ ...at, status: 'closed' })).toEqual(['over'])
    expect(await idsOf({ ...at, status: 'fulfilled' })).toEqual([])
    expect(await idsOf({ ...at, query: '%_\\ off' })).toEqual(['odd'])
    expect(await boardOf(store).board({ ...at, limit: 1, offset: 1, status: 'open' })).toMatchObject({
      page: [{ id: 'plain' }],
      total: 2,
    })
  })

  test('posted jobs are counted by client, address, strangers and users, and listed only where they were proved', async () => {
    const store = await (await fresh()).open()
    await post(store, 'forged')
    await post(store, 'proven', { isProven: true })
    expect(await boardOf(store).lockPostedJobCounts({ wallet, source: '192.0.2.1' })).toEqual({
      ofWallet: 1,
      ofAddress: 2,
      ofStrangers: 1,
      ofUsers: 1,
    })
    expect(await boardOf(store).lockPostedJobCounts({ wallet: undefined, source: undefined })).toMatchObject({
      ofWallet: 0,
      ofAddress: 0,
    })
    for (const role of ['client', 'evaluator'] as const)
      expect((await boardOf(store).postedJobsOf({ wallet, role, limit: 9 })).map(it => it.id)).toEqual(['proven'])
    expect(await boardOf(store).postedJobsOf({ wallet, role: 'provider', chainId: 97, limit: 9 })).toEqual([])
    expect(await store.lockGroupCounts({ owner: undefined, source: undefined })).toEqual({
      ofOwner: 0,
      ofAddress: 0,
      ofStrangers: 0,
    })
  })

  test('of handles that look alike one is taken, whoever comes first', async () => {
    const store = await (await fresh()).open()
    const words = { name: '', description: '', endpointUrl: undefined, viaGateway: true, card: { skills: [{ id: 's' }] }, wallet }
    const add = (handle: string, owner: `0x${string}`) =>
      store.addAgent({ key: `97:${handle}`, chainId: 97, handle, owner, ...words })
    const both = await Promise.all([add('sh0p-x', wallet), add('shop_x', nobody)])
    expect(both.filter(Boolean)).toMatchObject([{ skills: [{ id: 's' }] }])
    for (const handle of ['Shop.X', 'shopx', 'shop--x'])
      expect(await store.isLookAlike({ chainId: 97, handle, owner: `0x${'8'.repeat(40)}` })).toBe(true)
  })

  test('agents of others are found by the look of their name, also those that an earlier release stored', async () => {
    const store = await (await fresh()).open()
    await addAgent(store, { name: 'Сity Сlосk' })
    const similar = (owner: `0x${string}`) => store.similarAgents({ owner, looks: ['cltyclock'], handleKeys: ['scrlbe'] })
    const found = { handle: 'scribe', name: 'Сity Сlосk' }
    expect(await similar(nobody)).toEqual({ byName: [found], byHandle: [found] })
    expect(await similar(newAgent.owner)).toEqual({ byName: [], byHandle: [] })
    await store.db.tx(sql => sql(`update agent set look = ''`))
    expect((await similar(nobody)).byName).toEqual([])
    expect([await store.fillLooks(9), (await similar(nobody)).byName]).toEqual([false, [found]])
  })

  test('hires are listed by user, agent and run; long messages are kept, and old data of strangers is deleted', async () => {
    const store = await (await fresh()).open()
    await addAgent(store)
    await store.setAgentId(agentKey, agentId)
    const id = await addQueuedJob(store, 'listed')
    const { runId, user } = (await store.job(id)) ?? { runId: '', user: nobody }
    const page = { limit: 9, offset: 0 }
    for (const of of [{ user }, { runIds: [runId] }, { user, chainId: 97 }])
      expect((await store.listedJobs({ ...page, ...of })).map(it => it.id)).toEqual([id])
    expect(await store.listedJobs({ ...page, runIds: [] })).toEqual([])
    expect((await store.offeringsOf([agentId])).length).toBe((await store.offerings(agentId)).length)
    expect([...(await store.agentNames([agentId])).keys()]).toEqual([agentId])
    expect(await store.listed({ ...page, order: 'newest' })).toEqual(expect.any(Array))
    await store.addMessage('c', user, { role: 'agent', content: 'x'.repeat(5_000), runId: undefined })
    expect((await store.messages('c', user))[0]?.content).toHaveLength(5_000)
    for (const at of countUp(3))
      await store.addRun({ id: `n${at}`, conversationId: 'n', user: nobody, chainId: 97, task: 't', answer: 'a' })
    await post(store, 'ended', { expiresAt: Date.now() - 2 * dayMs })
    await post(store, 'open')
    await store.db.tx(sql => sql('update run set updated_at = updated_at - $1', [2 * dayMs]))
    expect(await store.sweepRecords(dayMs)).toBe(false)
    expect([await store.run('n0'), await boardOf(store).postedJob('ended')]).toEqual([undefined, undefined])
    expect(await store.run(runId)).toBeDefined()
    expect(await boardOf(store).postedJob('open')).toBeDefined()
  })
})
