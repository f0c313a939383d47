import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openPostgres } from '../../src/store/engine/postgres.ts'
import { takeSchemaSeat } from '../../src/store/engine/schemaSeat.ts'
import type { Migration } from '../../src/store/schema/migration.ts'
import { migrations } from '../../src/store/schema/schema.ts'
import { toProcessName } from '../../src/store/store.ts'
import { until } from '../service.ts'
import { newDatabase, server } from './server.ts'

const closers: (() => unknown)[] = []
const next = Math.max(...migrations.map(it => it.version)) + 1
const breaking: Migration = { version: next, statements: ['alter table agent rename column card to card2'] }
const addition: Migration = { version: next, statements: ['alter table agent add column note text'], isAddition: true }
let url = ''

/** Starts one process of a release as far as its schema goes. */
const start = async (release: Migration[], waitMs = 0) => {
  const db = openPostgres({ url, name: toProcessName() })
  const moved: string[] = []
  closers.push(db.close)
  const seat = {
    url,
    name: toProcessName(),
    db,
    migrations: release,
    waitMs,
    onMoved: (it: Error) => void moved.push(it.message),
  }
  const leave = await takeSchemaSeat(seat)
  closers.push(leave)
  return { db, moved, leave }
}

const columns = async () => {
  const reader = openPostgres({ url, name: 'market reader' })
  const rows = await reader.sql(`select column_name as name from information_schema.columns where table_name = 'agent'`)
  await reader.close()
  return rows.map(it => it.name)
}

/** A connection as releases without seats have it. */
const startEarlier = async (name: string) => {
  const client = new pg.Client({ connectionString: url, application_name: name })
  await client.connect()
  const end = async () => client.end()
  closers.push(end)
  return end
}

describe.skipIf(!server)('releases that overlap on one PostgreSQL server', () => {
  beforeEach(async () => {
    const database = await newDatabase()
    closers.push(database.remove)
    url = database.place.url
  })
  afterEach(async () => {
    for (let close = closers.pop(); close; close = closers.pop()) await close()
  })

  test('a release that only adds to the schema starts beside its predecessor, which goes on and starts again', async () => {
    const old = await start(migrations)
    await start([...migrations, addition])
    expect(await columns()).toContain('note')
    expect(old.moved).toEqual([])
    await old.leave()
    await start(migrations)
  })

  test('a migration that a running process cannot live with is refused, and names that process', async () => {
    await start(migrations)
    await expect(start([...migrations, breaking])).rejects.toThrow(`"market ${process.pid} schema ${next - 1} `)
    expect(await columns()).toContain('card')
  })

  test.each([`market 4711 ${randomUUID()}`, ''])('a migration waits for a release without seats, named %j', async name => {
    await (await start(migrations)).leave()
    const end = await startEarlier(name)
    await expect(start([...migrations, breaking])).rejects.toThrow(name || 'a client without a name (pg_stat_activity pid')
    expect(await columns()).toContain('card')
    await end()
    await start([...migrations, breaking])
  })

  test('a migration that waits is applied when the processes before have ended', async () => {
    const old = await start(migrations)
    const starting = start([...migrations, breaking], 10_000)
    await old.leave()
    await starting
    expect(await columns()).toContain('card2')
  })

  test('two processes of a new release that start at once migrate once, and both have a seat', async () => {
    await (await start(migrations)).leave()
    const both = [start([...migrations, breaking], 10_000), start([...migrations, breaking], 10_000)]
    await Promise.all(both)
    await expect(start([...migrations, breaking, { version: next + 1, statements: ['select 1'] }])).rejects.toThrow(
      'running processes',
    )
  })

  test('a process whose schema was changed under it learns so, with both versions, and is refused when it starts again', async () => {
    const old = await start(migrations)
    const other = new pg.Client({ connectionString: url, application_name: 'market reader' })
    await other.connect()
    closers.push(() => other.end())
    await other.query(`insert into schema_migration (version, checksum, at) values (${next}, 'x', 0)`)
    await until('the notice', async () => old.moved.length > 0)
    expect(old.moved[0]).toMatch(`schema version ${next}, which this release does not know (it knows up to ${next - 1})`)
    await expect(start(migrations)).rejects.toThrow('start a newer release')
  })

  test('a seat is kept over a lost connection', async () => {
    await start(migrations)
    const other = new pg.Client({ connectionString: url, application_name: 'market reader' })
    await other.connect()
    closers.push(() => other.end())
    const holders = `select pid from pg_locks where locktype = 'advisory' and classid = 818300007 and granted
      and database = (select oid from pg_database where datname = current_database())`
    const before = (await other.query<{ pid: number }>(holders)).rows[0]?.pid
    await other.query('select pg_terminate_backend($1)', [before])
    await until('another session', async () => {
      const now = (await other.query<{ pid: number }>(holders)).rows[0]?.pid
      return now !== undefined && now !== before
    })
    await expect(start([...migrations, breaking])).rejects.toThrow('running processes')
  })

  test('a migration may take longer than a statement of the service', async () => {
    const { db, leave } = await start(migrations)
    await leave()
    const slow = { version: next, statements: [`create table limits_seen as select current_setting('statement_timeout') as ms`] }
    await start([...migrations, slow])
    expect(await db.sql('select ms from limits_seen')).toEqual([{ ms: '0' }])
    expect(await db.sql(`select current_setting('statement_timeout') as ms`)).toEqual([{ ms: '30s' }])
  })
})
