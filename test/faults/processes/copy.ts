import { rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { toBound, type Value } from '../../../src/store/engine/db.ts'
import { openStore } from '../../../src/store/store.ts'
import { type Ledgers, openLedgers } from '../audit/ledgers.ts'
import type { Cluster } from './cluster.ts'

/** Copies a PostgreSQL database, without the states and histories of runs, into a fresh database file for the audits. */
export const copyLedgers = async ({ ask }: Pick<Cluster, 'ask'>, file: string): Promise<Ledgers> => {
  for (const end of ['', '-wal', '-shm', '.lock']) await rm(`${file}${end}`, { force: true })
  await (await openStore({ file, clock: { now: Date.now } })).close()
  const named = await ask(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname not in ('schema_migration', 'checkpoint', 'checkpoint_write', 'run_step')`,
  )
  const tables = named.map(it => String(it.relname))
  // One statement, and so one snapshot.
  const [all] = await ask(
    `select ${tables.map(name => `(select coalesce(jsonb_agg(t), '[]') from "${name}" t) as "${name}"`).join(', ')}`,
  )
  const copy = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  copy.exec('begin')
  for (const table of tables) {
    copy.exec(`delete from "${table}"`)
    const ofBytes = new Set(
      copy
        .prepare(`select name from pragma_table_info('${table}') where type = 'BLOB'`)
        .all()
        .map(it => it.name),
    )
    const rows: Record<string, Value>[] = Object.values(Object(all?.[table]))
    for (const it of rows) {
      const names = Object.keys(it)
      const into = `insert into "${table}" (${names.map(name => `"${name}"`).join(', ')}) values (${names.map(() => '?').join(', ')})`
      copy.prepare(into).run(...names.map(name => toBound(ofBytes.has(name) ? fromHex(it[name]) : it[name])))
    }
  }
  copy.exec('commit')
  copy.close()
  return openLedgers(file)
}

/** In JSON, PostgreSQL writes bytes as hex after `\x`. */
const fromHex = (value: Value): Value => (typeof value === 'string' ? Buffer.from(value.slice(2), 'hex') : value)

/** The ids of the jobs that have not ended. */
export const openJobsOf = async ({ ask }: Pick<Cluster, 'ask'>): Promise<string[]> =>
  (await ask(`select id from job where state not in ('settled', 'refunded', 'cancelled')`)).map(it => String(it.id))
