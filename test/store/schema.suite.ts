import { expect, test } from 'vitest'
import { migrate } from '../../src/store/engine/migrations.ts'
import { type Migration, migrations } from '../../src/store/schema/schema.ts'
import { addRun } from './rows.ts'
import { describeStores } from './stores.ts'

const second: Migration = {
  version: Math.max(...migrations.map(it => it.version)) + 1,
  statements: ['create table note (id text primary key, at {BIGINT} not null) {STRICT}'],
}

describeStores('schema', fresh => {
  test('a reopened database has its data unchanged', async () => {
    const { open } = await fresh()
    const store = await open()
    await addRun(store)
    await store.close()
    const again = await open()
    expect(await again.run('run-1')).toBeDefined()
    await again.close()
    await again.close()
  })

  test('processes that start concurrently migrate once', async () => {
    const [{ db }, other] = await (await fresh()).openRivals()
    await Promise.all([db, other.db, db, other.db].map(it => migrate(it, [...migrations, second])))
    expect(await db.sql('select version from schema_migration order by version')).toMatchObject(
      [...migrations, second].map(({ version }) => ({ version })),
    )
  })

  test('a changed migration is refused in plain words', async () => {
    const { db } = await (await fresh()).open()
    const changed = migrations.map(it => ({ ...it, statements: [...it.statements, 'select 1'] }))
    await expect(migrate(db, changed)).rejects.toThrow('a released migration was changed')
  })

  test('a database of a newer release is refused in plain words', async () => {
    const { db } = await (await fresh()).open()
    await migrate(db, [...migrations, second])
    await expect(migrate(db, migrations)).rejects.toThrow(`schema version ${second.version}, which this release does not know`)
  })

  test('a migration that fails leaves no change', async () => {
    const { db } = await (await fresh()).open()
    const broken = { ...second, statements: [...second.statements, 'create table note (id text)'] }
    await expect(migrate(db, [...migrations, broken])).rejects.toThrow()
    await migrate(db, [...migrations, second])
    expect(await db.sql('select * from note')).toEqual([])
  })
})
