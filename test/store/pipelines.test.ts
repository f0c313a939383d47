import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Db, type Sql, toLater } from '../../src/store/engine/db.ts'
import { openPostgres } from '../../src/store/engine/postgres.ts'
import { newDatabase, server } from './server.ts'

// Statements of a transaction are sent without a wait for the answers before. Each test sends several at once.
describe.skipIf(!server)('a pipelined transaction on PostgreSQL', () => {
  let db: Db
  /** Connections that are never killed. */
  let other: Db
  let database: Awaited<ReturnType<typeof newDatabase>>
  beforeAll(async () => {
    database = await newDatabase()
    db = openPostgres({ ...database.place, name: 'pipelines' })
    other = openPostgres({ ...database.place, name: 'others' })
    await db.sql('create table move (tx text not null, step bigint not null, unique (tx, step))')
    await db.sql('create sequence tries')
    await db.sql(`create function refuse_first() returns void language plpgsql as $$ begin
      if nextval('tries') = 1 then raise exception 'collided' using errcode = 'serialization_failure'; end if; end $$`)
  })
  afterAll(async () => {
    await Promise.all([db?.close(), other?.close()])
    await database?.remove()
  })

  const steps = [1, 2, 3, 4, 5]
  const move = (sql: Sql, tx: string, step: number) => sql('insert into move (tx, step) values ($1, $2)', [tx, step])
  const stored = async (tx: string) =>
    (await other.sql('select step from move where tx = $1 order by step', [tx])).map(it => it.step)

  test('that fails in its middle leaves nothing, whether its error is awaited, late or swallowed', async () => {
    const twice = [1, 2, 2, 3]
    const awaited = db.tx(sql => Promise.all(twice.map(step => move(sql, 'awaited', step))))
    await expect(awaited).rejects.toThrow('duplicate key')
    const late = db.tx(async sql => {
      for (const step of twice) toLater(sql)('insert into move (tx, step) values ($1, $2)', ['late', step])
    })
    await expect(late).rejects.toThrow('duplicate key')
    const swallowed = db.tx(async sql => void (await Promise.allSettled(twice.map(step => move(sql, 'swallowed', step)))))
    await expect(swallowed).rejects.toThrow()
    for (const tx of ['awaited', 'late', 'swallowed']) expect(await stored(tx)).toEqual([])
    // No connection of the pool remains in a failed transaction.
    await Promise.all(steps.map(step => db.tx(sql => move(sql, 'after', step))))
    expect(await stored('after')).toEqual(steps)
  })

  test('that collides in its middle runs once more, whole', async () => {
    let runs = 0
    await db.tx(async sql => {
      runs += 1
      const before = steps.slice(0, 2).map(step => move(sql, 'collided', step))
      const refused = sql('select refuse_first()')
      await Promise.all([...before, refused, ...steps.slice(2).map(step => move(sql, 'collided', step))])
    })
    expect(runs).toBe(2)
    expect(await stored('collided')).toEqual(steps)
  })

  test('whose connection is killed leaves all or nothing, and fails when it leaves nothing', async () => {
    const kill = async (pid: unknown) => void (await other.sql('select pg_terminate_backend($1)', [Number(pid)]))
    const rounds = Array.from({ length: 30 }, (_, at) => at)
    for (const round of rounds) {
      const tx = `killed ${round}`
      let killed = Promise.resolve()
      const ended = await db
        .tx(async sql => {
          const [own] = await sql('select pg_backend_pid() as pid')
          const send = (some: number[]) => {
            for (const step of some) toLater(sql)('insert into move (tx, step) values ($1, $2)', [tx, step])
          }
          send(steps.slice(0, round % steps.length))
          // The kill and the other statements, with the commit behind them, are on their way at the same time.
          killed = kill(own?.pid)
          if (round < 10) await killed
          send(steps.slice(round % steps.length))
        })
        .then(
          () => 'committed',
          () => 'failed',
        )
      await killed
      expect([[], steps], tx).toContainEqual(await stored(tx))
      if (ended === 'committed') expect(await stored(tx)).toEqual(steps)
      if (round < 10) expect(await stored(tx)).toEqual([])
    }
  })
})
