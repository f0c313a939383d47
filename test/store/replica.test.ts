import { afterAll, expect, test } from 'vitest'
import { toAgentId } from '../../src/domain/agents/agentId.ts'
import { openStore } from '../../src/store/store.ts'
import { tables } from '../assembled.ts'
import { account, addAgent, agentKey } from './rows.ts'
import { newDatabase, server } from './server.ts'

const clock = { now: () => Date.now() }
const ends: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

type Store = Awaited<ReturnType<typeof openStore>>
const open = (place: { url: string; reader?: string }): Promise<Store> => openStore({ ...place, tables, clock })
const addRegistered = async (store: Store, key: string, number: number) => {
  await addAgent(store, { key, handle: `agent-${number}`, wallet: account(number) })
  await store.setAgentId(key, toAgentId(97, account(0x8004), BigInt(number)))
}
const countAgents = async (store: Store) => (await store.countMarket({ before: Number.MAX_SAFE_INTEGER })).agents

// A second database takes the place of the replica, so that it is seen which one was read.
test.skipIf(!server)(
  'lists are read from a replica, all else from the primary, and lists too while the replica is away',
  async () => {
    const [first, second] = [await newDatabase(), await newDatabase()]
    ends.push(first.remove)
    const replica = await open(second.place)
    const primary = await open({ ...first.place, reader: second.place.url })
    ends.push(primary.close)
    await addRegistered(replica, agentKey, 1)
    expect(await countAgents(primary)).toBe(1)
    expect(await primary.agent(agentKey)).toBeUndefined()
    await addRegistered(primary, 'one', 1)
    await addRegistered(primary, 'two', 2)
    expect(await primary.agent('one')).toMatchObject({ key: 'one' })
    expect(await countAgents(primary)).toBe(1)
    await replica.close()
    await second.remove()
    expect(await countAgents(primary)).toBe(2)
  },
)
