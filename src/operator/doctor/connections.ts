import { z } from 'zod'
import type { Config } from '../../config.ts'
import { type Finding, ok, warning, wrong } from '../../domain/offerings/diagnosis.ts'
import { openPostgres } from '../../store/engine/postgres.ts'
import { rowOf } from '../../store/engine/rows.ts'

/** Connections of a process besides its pool: elections, its seat in the schema, notifications, and the embedded chain. */
const sessionsOfProcess = 4

const room = rowOf({ most: z.coerce.number(), processes: z.coerce.number() })
const readRoom = `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
  (select count(distinct application_name) from pg_stat_activity
   where datname = current_database() and application_name ~ '^market [0-9]') as processes`

/** Checks that PostgreSQL has connections for the processes that run and one more, and that the pooler and the replica answer. */
export const checkConnections = async ({ databaseUrl: url, pooling }: Config): Promise<Finding[]> => {
  if (!url) return []
  const name = 'market reader'
  const direct = openPostgres({ url, name })
  try {
    const { most = 0, processes = 0 } = room.one(await direct.sql(readRoom)) ?? {}
    const found = checkRoom({ most, processes, pooling })
    const { pooler, reader } = pooling
    const others = [
      pooler && checkAnswer({ url, pooler, name }, poolerWords),
      reader && checkAnswer({ url: reader, name }, replicaWords),
    ]
    return [found, ...(await Promise.all(others)).filter(it => it !== undefined && it !== '')]
  } catch {
    // The check of the database says why it does not answer.
    return []
  } finally {
    await direct.close()
  }
}

type Room = { most: number; processes: number; pooling: Config['pooling'] }

const checkRoom = ({ most, processes, pooling: { pooler, connections } }: Room): Finding => {
  const each = sessionsOfProcess + (pooler ? 0 : connections)
  const fits = Math.floor(most / each)
  const words =
    `PostgreSQL takes ${most} connections. A process opens up to ${each}, so ${fits} fit; ${processes} run now.` +
    (pooler ? ' The connections of the pooler come in addition.' : '')
  const remedy = 'Raise max_connections of PostgreSQL, lower POOL_SIZE, or put PgBouncer in front (DATABASE_POOLER_URL).'
  if (fits < 1) return wrong('connections', words, remedy)
  return processes >= fits ? warning('connections', words, remedy) : ok('connections', words)
}

const poolerWords = { subject: 'pooler', variable: 'DATABASE_POOLER_URL', remedy: 'Start PgBouncer' }
const replicaWords = { subject: 'replica', variable: 'DATABASE_READ_URL', remedy: 'Start the replica' }

const checkAnswer = async (
  place: Parameters<typeof openPostgres>[0],
  { subject, variable, remedy }: typeof poolerWords,
): Promise<Finding> => {
  const asked = openPostgres(place)
  try {
    await asked.sql('select 1')
    return ok(subject, 'It answers statements.')
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    return wrong(subject, `${variable} does not answer: ${cause}`, `${remedy}, or unset ${variable}.`)
  } finally {
    await asked.close()
  }
}
