import { existsSync } from 'node:fs'
import { afterAll, afterEach, describe } from 'vitest'
import { openStore, type StorePlace } from '../../src/store/store.ts'
import { tables } from '../assembled.ts'
import { createDatabases, server } from './server.ts'
import { newFile, type Spot } from './spot.ts'
import { copySchema } from './template.ts'

const clock = { now: () => Date.now() }
const leftOut = 'PostgreSQL part left out: set TEST_DATABASE_URL'

if (!server) process.stdout.write(`${leftOut}\n`)

const databases = createDatabases()

export type OpenStore = Awaited<ReturnType<typeof openStore>>

/** An unused place for a database, and functions that open stores in it. */
export type World = {
  place: StorePlace
  /** Channels that were notified, in order. */
  wakeups: string[]
  /** Opens a store. A file can be opened once at a time, a server several times. */
  open(): Promise<OpenStore>
  /** Opens two stores that run concurrently: on a server two connection pools, on a file the same store twice. */
  openRivals(): Promise<[OpenStore, OpenStore]>
}

/** Runs a suite on SQLite and PostgreSQL. `fresh` creates an empty world, which is removed after its test. */
export const describeStores = (title: string, suite: (fresh: () => Promise<World>) => void) => {
  describe(`${title} (SQLite)`, () => suite(sweeping(newFile)))
  describe.skipIf(!server)(`${title} (${server ? 'PostgreSQL' : leftOut})`, () => suite(sweeping(databases.borrow)))
  afterAll(databases.drop) // at the end of the file, whoever asks for it again
}

/** Connections of a process, enough for a race. Opening one takes PostgreSQL longer than most tests take. */
const connections = 5

// Opens all connections beforehand, so that no caller wins a race by being connected first.
const warm = (store: OpenStore) => Promise.all(Array.from({ length: connections }, () => store.db.tx(sql => sql('select 1'))))

const sweeping = (find: () => Promise<Spot>) => {
  const ends: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  return async (): Promise<World> => {
    const { place, remove } = await find()
    ends.push(remove)
    const wakeups: string[] = []
    const open = async () => {
      if ('file' in place && !existsSync(place.file)) await copySchema(place.file)
      const notify = (channel: string) => void wakeups.push(channel)
      const store = await openStore({ ...place, connections, tables, clock, wakeups: { notify } })
      ends.push(store.close)
      return store
    }
    const openRivals = async (): Promise<[OpenStore, OpenStore]> => {
      const one = await open()
      const two = 'url' in place ? await open() : one
      await Promise.all([one, two].map(warm))
      return [one, two]
    }
    return { place, wakeups, open, openRivals }
  }
}
