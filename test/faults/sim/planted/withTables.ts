import type { Store, Tables } from '../../../../src/ports.ts'

/** The store with other tables, outside of transactions and inside. */
export const withTables = (store: Store, change: (tables: Tables) => Partial<Tables>): Store => ({
  ...store,
  ...change(store),
  atomically: work => store.atomically(tables => work({ ...tables, ...change(tables) })),
})
