import { afterAll, afterEach, describe } from 'vitest'
import { openStore, type StorePlace } from '../../src/store/store.ts'
import { createDatabases, server } from './server.ts'
import { newFile, type Spot } from './spot.ts'

const clock = { now: () => Date.now() }
const leftOut = 'PostgreSQL part left out: set TEST_DATABASE_URL'

if (!server) process.stdout.write(`${leftOut}\n`)

const databases = createDatabases()

export type OpenStore = Awaited<ReturnType<typeof openStore>>

/** A place for rows that nobody has used, and stores over it. */
export type World = {
  place: StorePlace
  /** Channels that were notified, in order. */
  hints: string[]
  /** A store over the place. A file takes one at a time, a server several. */
  open(): Promise<OpenStore>
  /** Stores that race each other: on a server two processes' worth, on a file the one it takes. */
  openRivals(): Promise<[OpenStore, OpenStore]>
}

/** The same guarantees on both databases. `fresh` gives an empty world, which is taken away after its test. */
export const describeStores = (title: string, suite: (fresh: () => Promise<World>) => void) => {
  describe(`${title} (SQLite)`, () => suite(sweeping(newFile)))
  describe.skipIf(!server)(`${title} (${server ? 'PostgreSQL' : leftOut})`, () => suite(sweeping(databases.borrow)))
  afterAll(databases.drop) // at the end of the file, whoever asks for it again
}

// Connections that stand already: nobody wins a race by being the only one that is connected.
const warm = (store: OpenStore) => Promise.all(Array.from({ length: 10 }, () => store.db.tx(sql => sql('select 1'))))

const sweeping = (find: () => Promise<Spot>) => {
  const ends: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  return async (): Promise<World> => {
    const { place, remove } = await find()
    ends.push(remove)
    const hints: string[] = []
    const open = async () => {
      const store = await openStore({ ...place, clock, hints: { notify: channel => void hints.push(channel) } })
      ends.push(store.close)
      return store
    }
    const openRivals = async (): Promise<[OpenStore, OpenStore]> => {
      const one = await open()
      const two = 'url' in place ? await open() : one
      await Promise.all([one, two].map(warm))
      return [one, two]
    }
    return { place, hints, open, openRivals }
  }
}
