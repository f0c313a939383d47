import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openStore } from '../../src/store/store.ts'
import { addRun, countUp } from './rows.ts'
import { newFile } from './spot.ts'
import { newStoreFile } from './template.ts'

const clock = { now: () => Date.now() }

const freshFile = async (find = newStoreFile) => {
  const { place, remove } = await find()
  return { file: place.file, remove }
}

const keysBeforeKill = 100

/** Starts a process that writes to the file, and collects the keys of acknowledged writes. */
const startWriter = (file: string) => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('writer.ts', import.meta.url)), file], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let said = ''
  const enough = Promise.withResolvers<void>()
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
    if (said.split('\n').length > keysBeforeKill) enough.resolve()
  })
  const kill = async () => {
    const closed = once(child, 'close')
    child.kill('SIGKILL')
    expect(await closed).toEqual([null, 'SIGKILL'])
    return said.split('\n').slice(0, -1)
  }
  return { acknowledged: enough.promise, kill }
}

test('kill -9 loses no acknowledged row, and releases the file and its locks; a second process is refused', async () => {
  const { file, remove } = await freshFile()
  const writer = startWriter(file)
  await writer.acknowledged
  await expect(openStore({ file, clock })).rejects.toThrow('only one process at a time')
  const kept = await writer.kill()

  const store = await openStore({ file, clock })
  const ledger = await store.ledger({})
  const keys = new Set(ledger.map(it => it.key))
  expect(kept.length).toBeGreaterThanOrEqual(keysBeforeKill)
  expect(kept.filter(key => !keys.has(key))).toEqual([])
  expect(ledger.reduce((sum, it) => sum + it.amount, 0n)).toBe(0n)
  expect(ledger).toHaveLength(2 * keys.size)
  expect(await store.db.sql('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(await store.claimRuns(1000, 5)).toMatchObject([{ run: { id: 'run-1' } }])
  expect(await store.claimOutbox('push', 1000, 5)).toMatchObject([{ key: 'k', attempts: 2 }])
  await store.close()
  await remove()
})

test('opening the same file twice is refused, also through a link, and possible after the first is closed', async () => {
  const { file, remove } = await freshFile()
  const first = await openStore({ file, clock })
  symlinkSync(file, `${file}.link`)
  await expect(openStore({ file, clock })).rejects.toThrow('only one process at a time')
  await expect(openStore({ file: `${file}.link`, clock })).rejects.toThrow('only one process at a time')
  await first.close()
  await (await openStore({ file: `${file}.link`, clock })).close()
  await remove()
})

test('only the owner can read the file and its companion files', async () => {
  const { file, remove } = await freshFile(newFile)
  const store = await openStore({ file, clock })
  await addRun(store)
  for (const path of [file, `${file}-wal`, `${file}-shm`, `${file}.lock`]) expect(statSync(path).mode & 0o777).toBe(0o600)
  await store.close()
  await remove()
})

test('concurrent units of work share one commit, and each is answered after it', async () => {
  const { file, remove } = await freshFile()
  const store = await openStore({ file, clock })
  const frames = () => statSync(`${file}-wal`).size
  const before = frames()
  await Promise.all(countUp(50).map(at => store.addOutbox('t', `${at}`, at)))
  const together = frames() - before
  for (const at of countUp(50)) await store.addOutbox('u', `${at}`, at)
  expect(together * 5).toBeLessThan(frames() - before - together)
  await store.close()
  await remove()
})

test('a commit that fails rejects every unit of work in it, and the next one succeeds', async () => {
  const { file, remove } = await freshFile()
  const store = await openStore({ file, clock })
  await store.db.tx(async sql => {
    await sql('create table parent (id text primary key) strict')
    await sql('create table child (parent text references parent (id) deferrable initially deferred) strict')
  })
  const orphan = store.db.tx(sql => sql(`insert into child values ('nobody')`))
  const ends = await Promise.allSettled([orphan, store.addOutbox('t', 'k', 1)])
  expect(ends.map(it => it.status)).toEqual(['rejected', 'rejected'])
  await store.addOutbox('t', 'k', 2)
  expect(await store.claimOutbox('t', 1000, 5)).toMatchObject([{ payload: 2 }])
  await store.close()
  await remove()
})

test('a lease expires by the clock that the store was given', async () => {
  const { file, remove } = await freshFile()
  let now = 1_000_000
  const store = await openStore({ file, clock: { now: () => now } })
  await addRun(store)
  expect(await store.claimRuns(60_000, 1)).toHaveLength(1)
  now += 60_000
  expect(await store.claimRuns(60_000, 1)).toEqual([])
  now += 1
  expect(await store.claimRuns(60_000, 1)).toHaveLength(1)
  await store.close()
  await remove()
})

test('everything stored is readable by any SQLite tool', async () => {
  const { file, remove } = await freshFile()
  const store = await openStore({ file, clock })
  await addRun(store)
  const tool = new DatabaseSync(file, { readOnly: true })
  expect(tool.prepare('select id, task from run').all()).toMatchObject([{ id: 'run-1', task: 'Take notes of my talk' }])
  tool.close()
  await store.close()
  await remove()
})

test('a file that is no database is refused in plain words and left unchanged', async () => {
  const { file, remove } = await freshFile(newFile)
  writeFileSync(file, 'a letter to my aunt, long enough to have a page of its own'.repeat(100))
  const before = readFileSync(file)
  for (const _ of countUp(2)) await expect(openStore({ file, clock })).rejects.toThrow('cannot be read as a SQLite database')
  expect(readFileSync(file)).toEqual(before)
  await remove()
})

test('the folder of a new store is readable by its owner only', async () => {
  const { file, remove } = await freshFile(newFile)
  const folder = `${file}.d`
  await (await openStore({ file: join(folder, 'market.db'), clock })).close()
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  await remove()
})
