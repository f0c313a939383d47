import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openElections } from '../../src/store/engine/elections.ts'
import { until } from '../service.ts'
import { newDatabase, server } from './server.ts'

const closers: (() => unknown)[] = []
let url = ''
const chainId = 97

/** Stands for election, and records who leads. */
const stand = (name: string, leading: string[], terms: string[] = []) => {
  const elections = openElections({ url, name: randomUUID(), sql: async () => [], onError: () => undefined })
  closers.push(elections.close)
  elections.lead(chainId, async signal => {
    leading.push(name)
    terms.push(name)
    await delay(3_600_000, undefined, { signal }).catch(() => undefined)
    leading.splice(leading.indexOf(name), 1)
  })
  return elections
}

/** Ends the session that holds the lock of the leader, as a broken network does. */
const cutLeader = async () => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = $1 and database =
      (select oid from pg_database where datname = current_database())`,
    [chainId],
  )
  await client.end()
  return rowCount
}

describe.skipIf(!server)('the leader of a chain', () => {
  beforeEach(async () => {
    const database = await newDatabase()
    closers.push(database.remove)
    url = database.place.url
  })
  afterEach(async () => {
    for (let close = closers.pop(); close; close = closers.pop()) await close()
  })

  test('exactly one of several processes leads, and another one when it ends', async () => {
    const leading: string[] = []
    const named = Object.fromEntries(['a', 'b', 'c'].map(name => [name, stand(name, leading)]))
    const first = await until('a leader', async () => leading[0])
    await named[first]?.close()
    const second = await until('the next leader', async () => leading.find(it => it !== first))
    expect(second).not.toBe(first)
    expect(leading).toHaveLength(1)
  })

  test('a leader that loses its connection ends its term and may be elected again', async () => {
    const [leading, terms]: [string[], string[]] = [[], []]
    stand('a', leading, terms)
    await until('a leader', async () => leading[0])
    expect(await cutLeader()).toBe(1)
    await until('the second term', async () => terms.length === 2 && leading.length === 1)
  })

  test('a term that fails is given up for another one', async () => {
    let failures = 0
    const elections = openElections({
      url,
      name: randomUUID(),
      sql: async () => [],
      onError: () => {
        failures += 1
      },
    })
    closers.push(elections.close)
    let led = false
    elections.lead(chainId, async signal => {
      if (failures === 0) throw new Error('the database failed')
      led = true
      await delay(3_600_000, undefined, { signal }).catch(() => undefined)
    })
    await until('the second term', async () => led)
    expect(failures).toBe(1)
  })
})
