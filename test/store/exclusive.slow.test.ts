import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { takeAlone } from '../../src/store/engine/exclusive.ts'
import { beatMs } from '../../src/store/engine/session.ts'
import { startTestService, until } from '../service.ts'
import { newDatabase, server } from './server.ts'

const closers: (() => unknown)[] = []
const key = 97
let url = ''
let other: pg.Client

const locks = `select pid, classid, objid from pg_locks where locktype = 'advisory' and granted and objid = ${key}
  and database = (select oid from pg_database where datname = current_database())`

const holder = async (): Promise<{ pid: number; classid: number } | undefined> => (await other.query(locks)).rows[0]

const cut = async () => {
  const held = await holder()
  await other.query('select pg_terminate_backend($1)', [held?.pid])
  return held
}

describe.skipIf(!server)('what one process has alone', () => {
  let lost = 0
  beforeEach(async () => {
    const database = await newDatabase()
    closers.push(database.remove)
    url = database.place.url
    other = new pg.Client({ connectionString: url })
    await other.connect()
    closers.push(() => other.end())
    lost = 0
    const onLost = () => {
      lost += 1
    }
    closers.push(await takeAlone({ url, name: 'first', key, onLost }))
  })
  afterEach(async () => {
    for (let close = closers.pop(); close; close = closers.pop()) await close()
  })

  test('is refused to another process, which learns who has it', async () => {
    const second = takeAlone({ url, name: 'second', key, onLost: () => undefined })
    await expect(second).rejects.toThrow('"first"')
  }, 20_000)

  test('a process with an embedded chain of its own is refused while another one has it, and names that one', async () => {
    const second = startTestService({ env: { DATABASE_URL: url, MASTER_KEY: 'ab'.repeat(32) } })
    await expect(second).rejects.toThrow(/embedded chain of this PostgreSQL database is in use.*"first".*RPC_URL_97/)
  }, 20_000)

  test('stays with a process that lost its connection, when nobody else took it', async () => {
    const before = await cut()
    await until('the same process again', async () => {
      const now = await holder()
      return now && now.pid !== before?.pid
    })
    expect(lost).toBe(0)
  })

  /** Cuts the session, while another one of this name already waits for what it has. */
  const takeFrom = async (name: string): Promise<pg.Client> => {
    const held = await holder()
    const next = new pg.Client({ connectionString: url, application_name: name })
    await next.connect()
    closers.push(() => next.end())
    // It waits in the queue of the lock, so it gets the lock before the first process can ask again.
    const taken = next.query('select pg_advisory_lock($1, $2)', [held?.classid, key])
    await until('the queue', async () => (await other.query('select 1 from pg_locks where not granted')).rowCount === 1)
    await cut()
    await taken
    return next
  }

  test('must be stopped when another process took it after a lost connection', async () => {
    await takeFrom('second')
    await until('the loss', async () => lost === 1)
  })

  test('stays with a process whose own earlier session is still there', async () => {
    const earlier = await takeFrom('first')
    const before = await holder()
    await delay(3 * beatMs)
    expect(lost).toBe(0)
    await earlier.end()
    await until('the same process again', async () => {
      const now = await holder()
      return now && now.pid !== before?.pid
    })
    expect(lost).toBe(0)
  })
})
