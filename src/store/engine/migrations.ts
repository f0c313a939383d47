import { z } from 'zod'
import { sha256 } from '../../domain/json.ts'
import { flag } from '../../ports/rows/columns.ts'
import { additionsFrom, type Migration } from '../schema/migration.ts'
import type { Db, Sql } from './db.ts'
import { insertion, rowOf } from './rows.ts'

/** An arbitrary constant. It makes processes that start at the same time migrate one after the other. */
const advisoryLock = 818_300_004

const applied = rowOf({ version: z.number(), checksum: z.string() })
const kinds = rowOf({ version: z.number(), isAddition: flag })

/** A migration that is under way, or was applied: `ms` is how long it has taken. */
export type MigrationStep = { version: number; of: number; ms: number; isDone: boolean }

/** A migration that takes longer than this in ms is told again and again, so that nobody takes it for a hung start. */
const tellEveryMs = 10_000

/**
 * Applies pending migrations, each in one transaction without a time limit.
 * @param onStep called after each applied migration, and every ten seconds before
 * @throws Error when a newer release wrote the database, or when a migration it applied is not known here
 */
export const migrate = async (db: Db, migrations: Migration[], onStep?: (step: MigrationStep) => void): Promise<void> => {
  const pending = await pendingMigrations(db, migrations)
  const of = Math.max(...migrations.map(it => it.version))
  for (const migration of pending) {
    const begunAt = performance.now()
    const tell = (isDone: boolean) =>
      onStep?.({ version: migration.version, of, ms: Math.round(performance.now() - begunAt), isDone })
    const telling = setInterval(tell, tellEveryMs, false)
    await alone(db, sql => apply(sql, migration)).finally(() => clearInterval(telling))
    tell(true)
  }
}

/**
 * Reads which migrations are to be applied. A database that only has additions of a newer release is accepted.
 * @throws Error when a newer release wrote the database, or when a migration it applied is not known here
 */
export const pendingMigrations = async (db: Db, migrations: Migration[]): Promise<Migration[]> => {
  let done = new Set<number>()
  await alone(db, async sql => {
    done = await readApplied(sql, migrations)
  })
  return migrations.filter(it => !done.has(it.version))
}

const alone = (db: Db, work: (sql: Sql) => Promise<void>) =>
  db.longTx(async sql => {
    if (db.dialect === 'postgres') {
      // A migration of a large table takes longer than any statement of the service may.
      await sql('set local statement_timeout = 0')
      await sql('select pg_advisory_xact_lock($1)', [advisoryLock])
    }
    await work(sql)
  })

const readApplied = async (sql: Sql, migrations: Migration[]): Promise<Set<number>> => {
  await sql(
    'create table if not exists schema_migration (version {BIGINT} primary key, checksum text not null, ' +
      'at {BIGINT} not null) {STRICT}',
  )
  const rows = applied.all(await sql('select version, checksum from schema_migration order by version'))
  const done = new Set(rows.map(it => it.version))
  const additions = done.has(additionsFrom)
    ? kinds.all(await sql('select version, is_addition from schema_migration')).filter(it => it.isAddition)
    : []
  for (const row of rows) refuseStranger(row, { migrations, isAddition: additions.some(it => it.version === row.version) })
  return done
}

const refuseStranger = (
  { version, checksum }: { version: number; checksum: string },
  { migrations, isAddition }: { migrations: Migration[]; isAddition: boolean },
) => {
  const known = migrations.find(it => it.version === version)
  if (!known && !isAddition) throw new Error(toNewer(version, migrations))
  if (known && checksumOf(known) !== checksum)
    throw new Error(
      `Schema version ${version} of this database differs from that of this release: a released migration was changed.`,
    )
}

/** Says that the database belongs to a newer release, with both versions. */
export const toNewer = (version: number, migrations: Migration[]): string =>
  `This database is at schema version ${version}, which this release does not know (it knows up to ` +
  `${Math.max(...migrations.map(it => it.version))}): start a newer release.`

const apply = async (sql: Sql, migration: Migration) => {
  const { version, statements, isAddition = false } = migration
  const done = await sql('select version from schema_migration where version = $1', [version])
  if (done.length > 0) return
  for (const statement of statements) await sql(statement)
  const kind = version >= additionsFrom ? { isAddition } : {}
  await sql(...insertion('schema_migration', { version, checksum: checksumOf(migration), ...kind }, ['at']))
}

const checksumOf = ({ statements }: Migration) => sha256(statements.join(';\n'))
