import { deflateRawSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Db } from '../../../src/store/engine/db.ts'
import { migrate } from '../../../src/store/engine/migrations.ts'
import { openPostgres } from '../../../src/store/engine/postgres.ts'
import { insertion } from '../../../src/store/engine/rows.ts'
import { openSqlite } from '../../../src/store/engine/sqlite.ts'
import type { Migration } from '../../../src/store/schema/migration.ts'
import { migrations } from '../../../src/store/schema/schema.ts'
import type { StorePlace } from '../../../src/store/store.ts'
import { account, addRun, hash, inFlight, newIntent, signed } from '../rows.ts'
import { describeStores } from '../stores.ts'

const second: Migration = {
  version: Math.max(...migrations.map(it => it.version)) + 1,
  statements: ['create table note (id text primary key, at {BIGINT} not null) {STRICT}'],
}

/** Opens a database with the schema of an earlier release. */
const openEarlier = async (place: StorePlace, version: number): Promise<Db> => {
  const old = 'file' in place ? openSqlite({ ...place, clock: { now: Date.now } }) : openPostgres({ ...place, name: 'earlier' })
  if (old.dialect === 'postgres')
    for (const it of ['drop schema public cascade', 'create schema public']) await old.tx(sql => sql(it))
  await migrate(
    old,
    migrations.filter(it => it.version < version),
  )
  return old
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

  test('calls, transactions and histories that an earlier release stored are read as before', async () => {
    const { place, open } = await fresh()
    const old = await openEarlier(place, 36)
    const { call, ...intent } = newIntent('job:j:hire')
    const step = { step: 1, node: 'choose', model: 'rules', model_ms: 0, calls: [], update: { words: 'é' } }
    await old.tx(async sql => {
      const text = JSON.stringify({ ...call, value: `${call.value}`, gas: `${call.gas}` })
      await sql(...insertion('intent', { ...intent, call: text, state: 'sent', nonce: 0, hash: hash(1) }, ['createdAt']))
      const sent = { ...signed(1, 0), intentSeq: 1, chainId: intent.chainId, sender: intent.sender }
      await sql(...insertion('chain_transaction', sent, ['signedAt']))
      const run = {
        id: 'r',
        conversationId: 'c',
        user: intent.sender,
        chainId: intent.chainId,
        task: '',
        state: 'completed',
        answer: '',
      }
      await sql(...insertion('run', run, ['createdAt', 'updatedAt']))
      for (const number of [1, 2]) {
        const body = gzipSync(JSON.stringify({ ...step, step: number }))
        await sql(...insertion('run_step', { runId: 'r', step: number, calls: 0, bytes: 9, body }, ['at']))
      }
    })
    await old.close()
    const store = await open()
    expect(await inFlight(store, intent.chainId, intent.sender)).toMatchObject([
      { intent: { call }, transactions: [signed(1, 0)] },
    ])
    await store.addRunSteps('r', [{ ...step, step: 3 }])
    expect(await store.runSteps('r')).toEqual([1, 2, 3].map(number => ({ ...step, step: number })))
  })

  test('signatures, open learning and index changes of an earlier release are kept, and what nothing reads is removed', async () => {
    const { place, open } = await fresh()
    const old = await openEarlier(place, 40)
    const signature = {
      ...{
        wallet: account(1),
        role: 'agent',
        chainId: 97,
        kind: 'typed-data',
        contract: account(2),
        selector: 'Hire',
        amount: '0',
      },
      ...{ digest: hash(7) },
    } as const
    const text = { ...signature, kind: 'text', contract: undefined, digest: hash(8) } as const
    const outbox = { held: false, done: true }
    await old.tx(async sql => {
      for (const it of [signature, text]) await sql(...insertion('signature', it, ['at']))
      for (const [key, isDone] of Object.entries(outbox))
        await sql(...insertion('outbox', { topic: 'learn', key, payload: '{}' }, ['createdAt', ...(isDone ? ['doneAt'] : [])]))
      for (const [at, agentKey] of ['97:a', '97:b', '97:a'].entries())
        await sql(
          ...insertion('outbox', { topic: 'index', key: `${at}`, payload: JSON.stringify({ agentKey }), mark: at + 1 }, [
            'createdAt',
          ]),
        )
    })
    await old.close()
    const store = await open()
    const kept = await store.signatures({ wallet: account(1), limit: 9 })
    expect(kept).toMatchObject([text, signature].map(it => ({ ...it, amount: 0n })))
    expect(await store.claimOutbox('learn', 1_000, 9)).toMatchObject([{ key: 'held' }])
    expect((await store.indexChanges(0)).changes.map(it => it.key)).toEqual(['1', '2'])
  })

  test('events that an earlier release packed are read as before', async () => {
    const { place, open } = await fresh()
    const old = await openEarlier(place, 40)
    const event = { seq: 1, kind: 'answer', summary: 'Done.', data: {}, at: 1 }
    const run = { id: 'r', conversationId: 'c', user: account(1), chainId: 97, task: '', state: 'completed', answer: '' }
    const events = Buffer.concat([Buffer.from('1'), deflateRawSync(JSON.stringify([event]))])
    await old.tx(async sql => void (await sql(...insertion('run', { ...run, lastSeq: 1, events }, ['createdAt', 'updatedAt']))))
    await old.close()
    expect(await (await open()).runEvents('r', 0, 9)).toEqual([{ runId: 'r', ...event }])
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
