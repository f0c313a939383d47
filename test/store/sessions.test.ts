import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseAway, Problem, toUnexpected } from '../../src/domain/problem.ts'
import { openPostgres } from '../../src/store/engine/postgres.ts'
import { openSlowLine } from '../faults/processes/slowLine.ts'
import { freePort } from '../freePort.ts'
import { server } from './server.ts'

describe.skipIf(!server)('a session with PostgreSQL', () => {
  test('that breaks inside a transaction fails that transaction alone', async () => {
    const db = openPostgres({ url: server ?? '', name: 'sessions' })
    onTestFinished(db.close)
    const broken = db.tx(async sql => {
      const [own] = await sql('select pg_backend_pid() as pid')
      await db.sql('select pg_terminate_backend($1)', [Number(own?.pid)])
      // The server's last words arrive while nothing is asked of the connection.
      await new Promise(resolve => setImmediate(resolve))
      await db.sql('select pg_sleep(0.05)')
      return sql('select 1')
    })
    await expect(broken).rejects.toThrow()
    expect(await db.tx(sql => sql('select 1 as one'))).toEqual([{ one: 1 }])
  })

  test('of a migration may be silent for as long as the migration takes', async () => {
    const db = openPostgres({ url: server ?? '', name: 'migration' })
    onTestFinished(db.close)
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const slept = db.longTx(async sql => {
      await sql('select 1')
      const slow = sql(`select 'done' as said from pg_sleep(0.3)`)
      begin()
      return slow
    })
    await begun
    await vi.advanceTimersByTimeAsync(60_000)
    vi.useRealTimers()
    expect(await slept).toEqual([{ said: 'done' }])
  })

  test('that was cut off fails its statements and transactions, and the next ones get another session', async () => {
    const line = await openSlowLine(server ?? '', 0)
    onTestFinished(line.stop)
    const db = openPostgres({ url: line.url, name: 'silence' })
    onTestFinished(db.close)
    const ask = () => [db.sql('select 1 as one'), db.tx(sql => sql('select 1 as one'))]
    await Promise.all(ask())
    line.cut()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const asked = Promise.allSettled(ask())
    await vi.advanceTimersByTimeAsync(40_000)
    vi.useRealTimers()
    expect((await asked).map(it => it.status)).toEqual(['rejected', 'rejected'])
    expect(await Promise.all(ask())).toEqual([[{ one: 1 }], [{ one: 1 }]])
  })
})

test('a server that is away is no fault of the request, which may be sent again', async () => {
  const db = openPostgres({ url: `postgres://nobody@127.0.0.1:${await freePort()}/away`, name: 'away' })
  onTestFinished(db.close)
  for (const asked of [db.sql('select 1'), db.run('select 1'), db.tx(sql => sql('select 1'))]) {
    const error = await asked.catch((it: unknown) => it)
    expect(error).toBeInstanceOf(DatabaseAway)
    expect(toUnexpected(error).type).toBe('database-unavailable')
  }
})

test.skipIf(!server)('the refusal of a transaction stays what it is, whatever its words', async () => {
  const db = openPostgres({ url: server ?? '', name: 'words' })
  onTestFinished(db.close)
  const refused = db.tx(async () => Promise.reject(new Problem('agent-unreachable', 'connect ECONNREFUSED')))
  await expect(refused).rejects.toBeInstanceOf(Problem)
})
