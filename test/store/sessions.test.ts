import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openPostgres } from '../../src/store/engine/postgres.ts'
import { openSlowLine } from '../faults/processes/slowLine.ts'
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
