import { z } from 'zod'
import { sha256 } from '../../domain/json.ts'
import type { Migration } from '../schema/schema.ts'
import type { Db, Sql } from './db.ts'
import { insertion, rowOf } from './rows.ts'

/** An arbitrary constant. It makes processes that start at the same time migrate one after the other. */
const advisoryLock = 818_300_004

const applied = rowOf({ version: z.number(), checksum: z.string() })

/**
 * Applies pending migrations, each in one transaction.
 * @throws Error when a newer release wrote the database, or when a migration it applied is not known here
 */
export const migrate = async (db: Db, migrations: Migration[]): Promise<void> => {
  await alone(db, sql => refuseStrangers(sql, migrations))
  for (const migration of migrations) await alone(db, sql => apply(sql, migration))
}

const alone = (db: Db, work: (sql: Sql) => Promise<void>) =>
  db.tx(async sql => {
    if (db.dialect === 'postgres') await sql('select pg_advisory_xact_lock($1)', [advisoryLock])
    await work(sql)
  })

const refuseStrangers = async (sql: Sql, migrations: Migration[]) => {
  await sql(
    'create table if not exists schema_migration (version {BIGINT} primary key, checksum text not null, at {BIGINT} not null) {STRICT}',
  )
  for (const row of applied.all(await sql('select version, checksum from schema_migration order by version'))) {
    const known = migrations.find(it => it.version === row.version)
    if (!known)
      throw new Error(
        `This database is at schema version ${row.version}, which this release does not know: start a newer release.`,
      )
    if (checksumOf(known) !== row.checksum)
      throw new Error(
        `Schema version ${row.version} of this database differs from that of this release: a released migration was changed.`,
      )
  }
}

const apply = async (sql: Sql, migration: Migration) => {
  const { version, statements } = migration
  const done = await sql('select version from schema_migration where version = $1', [version])
  if (done.length > 0) return
  for (const statement of statements) await sql(statement)
  await sql(...insertion('schema_migration', { version, checksum: checksumOf(migration) }, ['at']))
}

const checksumOf = ({ statements }: Migration) => sha256(statements.join(';\n'))
