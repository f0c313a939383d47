import { migrate } from '../../src/store/engine/migrations.ts'
import { openPostgres } from '../../src/store/engine/postgres.ts'
import { migrations } from '../../src/store/schema/schema.ts'
import { askAt, startCluster } from '../faults/processes/cluster.ts'

type Options = { hires: number[]; from: number; say(line: string): void }

/** Rows of a finished hire in the tables that grow with hires. */
const rowsOfHire: Record<string, number> = {
  ...{ run: 1, message: 2, job: 1, intent: 4, chain_transaction: 4, chain_event: 4 },
  ...{ posting: 2, ledger_entry: 5, signature: 5, outbox: 1 },
}
/** Columns whose values a check limits. */
const fixed: Record<string, string> = { state: '', kind: `'transaction'`, author: `'user'`, role: `'user'`, name: `'JobFunded'` }
const states: Record<string, string> = { run: 'completed', job: 'settled', intent: 'confirmed' }
/** Bytes of a text that a column of JSON gets, about those of a real hire. */
const jsonBytes = 400

/** Measures how long the migrations take on a PostgreSQL server whose tables have the rows of so many finished hires. */
export const benchMigrations = async ({ hires, from, say }: Options) => {
  const cluster = await startCluster()
  try {
    const found: Awaited<ReturnType<typeof measure>>[] = []
    for (const count of hires) found.push(await measure(cluster.url, { count, from, say }))
    return { from, to: migrations.length, runs: found }
  } finally {
    await cluster.stop()
  }
}

/** The rows of a table that no further migration names cost no time, and are left out. */
const isTouched = (table: string, from: number) =>
  migrations.slice(from).some(it => it.statements.some(text => new RegExp(`(table|on|update|from) ${table}\\b`).test(text)))

const measure = async (server: string, { count, from, say }: { count: number; from: number; say(line: string): void }) => {
  const name = `hires_${count}`
  await askAt(server, `create database ${name}`)
  const at = new URL(server)
  at.pathname = `/${name}`
  const url = at.href
  const db = openPostgres({ url, name: 'market bench' })
  try {
    await migrate(db, migrations.slice(0, from))
    for (const [table, each] of Object.entries(rowsOfHire)) if (isTouched(table, from)) await fill(url, table, each * count)
    say(`${count} hires are written`)
    const steps: { version: number; ms: number }[] = []
    await migrate(db, migrations, ({ version, ms }) => void steps.push({ version, ms }))
    const ms = steps.reduce((sum, it) => sum + it.ms, 0)
    const slowest = steps.toSorted((one, other) => other.ms - one.ms).slice(0, 3)
    say(`${count} hires: ${ms} ms, longest ${JSON.stringify(slowest)}`)
    return { hires: count, ms, slowest }
  } finally {
    await db.close()
    await askAt(server, `drop database ${name} with (force)`)
  }
}

const columnsOf = `select column_name as name, data_type as type from information_schema.columns
  where table_name = $1 and is_nullable = 'NO' and column_default is null and is_identity = 'NO'`

/** Writes rows with every column that has no default. References are not checked, because only the size matters here. */
const fill = async (url: string, table: string, rows: number) => {
  const columns = (await askAt(url, columnsOf, [table])).map(it => ({ name: String(it.name), type: String(it.type) }))
  const values = columns.map(it => toValue(table, it))
  const into = columns.map(it => `"${it.name}"`).join(', ')
  await askAt(
    url,
    `set session_replication_role = replica; insert into "${table}" (${into}) select ${values.join(', ')} from generate_series(1, ${rows}) i`,
  )
}

const toValue = (table: string, { name, type }: { name: string; type: string }): string => {
  const given = name === 'state' ? `'${states[table]}'` : fixed[name]
  if (given) return given
  if (type === 'bigint') return 'i'
  const text = isLong(name) ? `'"' || repeat('x', ${jsonBytes}) || '"'` : `'0x' || md5(i::text)`
  return type === 'bytea' ? `convert_to(${text}, 'UTF8')` : text
}

const isLong = (name: string) => ['terms', 'offering', 'call', 'raw', 'text', 'payload', 'body'].includes(name)
