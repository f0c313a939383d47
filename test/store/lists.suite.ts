import { expect, test } from 'vitest'
import { nobody } from '../../src/domain/hex.ts'
import { addAgent, addQueuedJob, agentId, agentKey, countUp } from './rows.ts'
import { describeStores, type OpenStore } from './stores.ts'

const wallet = `0x${'7'.repeat(40)}` as const
const dayMs = 86_400_000

const post = (store: OpenStore, id: string, more: { isProven?: boolean; expiresAt?: number; description?: string } = {}) =>
  store.addPostedJob({
    ...{ id, chainId: 97, description: 'Paint it', rewardAmount: '1', rewardToken: 'USDC', clientId: wallet, clientKey: wallet },
    ...{ isProven: false, providerId: '', providerKey: '', evaluatorId: wallet, evaluatorKey: wallet, metadata: {} },
    ...{ expiresAt: Date.now() + dayMs, source: '192.0.2.1', ...more },
  })

describeStores('lists', fresh => {
  test('the board is filtered, searched and counted', async () => {
    const store = await (await fresh()).open()
    await post(store, 'plain')
    await post(store, 'over', { expiresAt: 1 })
    await post(store, 'odd', { description: '50%_\\ OFF' })
    const at = { now: Date.now(), limit: 9, offset: 0 }
    const idsOf = async (of: Parameters<OpenStore['board']>[0]) => (await store.board(of)).page.map(it => it.id)
    expect(await idsOf({ ...at, status: 'open', chainId: 97 })).toEqual(['odd', 'plain'])
    expect(await idsOf({ ...at, status: 'closed' })).toEqual(['over'])
    expect(await idsOf({ ...at, status: 'fulfilled' })).toEqual([])
    expect(await idsOf({ ...at, query: '%_\\ off' })).toEqual(['odd'])
    expect(await store.board({ ...at, limit: 1, offset: 1, status: 'open' })).toMatchObject({ page: [{ id: 'plain' }], total: 2 })
  })

  test('posted jobs are counted for their client, their address, strangers and users, and listed where they were proved', async () => {
    const store = await (await fresh()).open()
    await post(store, 'forged')
    await post(store, 'proven', { isProven: true })
    expect(await store.lockPostedJobCounts({ wallet, source: '192.0.2.1' })).toEqual({
      ofWallet: 1,
      ofAddress: 2,
      ofStrangers: 1,
      ofUsers: 1,
    })
    expect(await store.lockPostedJobCounts({ wallet: undefined, source: undefined })).toMatchObject({ ofWallet: 0, ofAddress: 0 })
    for (const role of ['client', 'evaluator'] as const)
      expect((await store.postedJobsOf({ wallet, role, limit: 9 })).map(it => it.id)).toEqual(['proven'])
    expect(await store.postedJobsOf({ wallet, role: 'provider', chainId: 97, limit: 9 })).toEqual([])
    expect(await store.lockGroupCounts({ owner: undefined, source: undefined })).toEqual({
      ofOwner: 0,
      ofAddress: 0,
      ofStrangers: 0,
    })
  })

  test('handles that look alike are taken once, whoever comes first', async () => {
    const store = await (await fresh()).open()
    const words = { name: '', description: '', endpointUrl: undefined, viaGateway: true, card: { skills: [{ id: 's' }] }, wallet }
    const add = (handle: string, owner: `0x${string}`) =>
      store.addAgent({ key: `97:${handle}`, chainId: 97, handle, owner, ...words })
    const both = await Promise.all([add('sh0p-x', wallet), add('shop_x', nobody)])
    expect(both.filter(Boolean)).toMatchObject([{ skills: [{ id: 's' }] }])
    expect(await store.isLookAlike({ chainId: 97, handle: 'Shop.X', owner: `0x${'8'.repeat(40)}` })).toBe(true)
  })

  test('hires are listed for their user, their agent and their runs; long words of a run are named, and what is nobody’s goes', async () => {
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
    expect(await store.listed(page)).toEqual(expect.any(Array))
    await store.addMessage('c', user, { role: 'agent', content: 'x'.repeat(5_000), runId: undefined })
    expect((await store.messages('c', user))[0]?.content).toHaveLength(5_000)
    for (const at of countUp(3))
      await store.addRun({ id: `n${at}`, conversationId: 'n', user: nobody, chainId: 97, task: 't', answer: 'a' })
    await post(store, 'ended', { expiresAt: Date.now() - 2 * dayMs })
    await post(store, 'open')
    await store.db.tx(sql => sql('update run set updated_at = updated_at - $1', [2 * dayMs]))
    expect(await store.sweepRecords(dayMs)).toBe(false)
    expect([await store.run('n0'), await store.postedJob('ended')]).toEqual([undefined, undefined])
    expect(await store.run(runId)).toBeDefined()
    expect(await store.postedJob('open')).toBeDefined()
  })
})
