import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterEach, describe } from 'vitest'
import { openStore, type StorePlace } from '../../src/store/store.ts'
import { newFile, type Spot } from './spot.ts'

const url = process.env.TEST_DATABASE_URL
const clock = { now: () => Date.now() }
const leftOut = 'PostgreSQL part left out: set TEST_DATABASE_URL'

if (!url) process.stdout.write(`${leftOut}\n`)

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
  describe.skipIf(!url)(`${title} (${url ? 'PostgreSQL' : leftOut})`, () => suite(sweeping(newDatabase)))
}

const newDatabase = async (): Promise<Spot> => {
  const name = `store_test_${randomBytes(8).toString('hex')}`
  await asAdmin(`create database ${name}`)
  const place = new URL(url ?? '')
  place.pathname = `/${name}`
  return { place: { url: place.href }, remove: () => asAdmin(`drop database ${name} with (force)`) }
}

const asAdmin = async (statement: string) => {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(statement)
  await admin.end()
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
