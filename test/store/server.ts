import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migrations } from '../../src/store/schema/schema.ts'
import type { Spot } from './spot.ts'

/** URL of a PostgreSQL server for the tests; undefined when there is none. */
export const server = process.env.TEST_DATABASE_URL

const asAdmin = (statement: string) => ask(server ?? '', statement)
const ask = async (url: string, statement: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

export const newDatabase = async (): Promise<Spot<{ url: string }>> => {
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdmin(`create database ${name}`)
  const url = new URL(server ?? '')
  url.pathname = `/${name}`
  return { place: { url: url.href }, remove: async () => void (await asAdmin(`drop database ${name} with (force)`)) }
}

/**
 * Databases that are emptied and reused: creating one with its tables takes half a second, emptying it milliseconds. A database
 * whose schema was changed by a test is not reused.
 */
export const createDatabases = () => {
  const idle: Spot<{ url: string }>[] = []
  return {
    async borrow(): Promise<Spot> {
      const database = idle.pop() ?? (await newDatabase())
      const { url } = database.place
      return {
        place: { url },
        remove: async () => void ((await isEmptied(url)) ? idle.push(database) : await database.remove()),
      }
    },
    async drop() {
      for (const database of idle.splice(0)) await database.remove()
    },
  }
}

const latest = Math.max(...migrations.map(it => it.version))

// One statement deletes all rows, because foreign keys are checked at its end, so that the order of tables does not matter. Tables
// that never had a row are left out: they are most of them, and planning their deletions takes longer than a test.
const emptying = `do $$
  declare deletes text;
  begin
    if (select max(version) from schema_migration) is distinct from ${latest} then raise 'another schema'; end if;
    select string_agg(format('t%s as (delete from %I)', oid, relname), ', ') into deletes from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migration' and pg_relation_size(oid) > 0;
    if deletes is not null then execute 'with ' || deletes || ' select'; end if;
    perform setval(oid, 1, false) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S';
  end $$`

/** Deletes all rows. False when the schema is not that of this release. */
const isEmptied = (url: string): Promise<boolean> =>
  ask(url, emptying).then(
    () => true,
    () => false,
  )
