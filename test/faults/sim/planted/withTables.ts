import type { TokenTables } from '../../../../src/features/tokens/ports.ts'
import type { Store, Tables } from '../../../../src/ports.ts'

/** Replaces functions of the store, outside and inside transactions. */
export const withTables = (store: Store, change: (tables: Tables) => Partial<Tables & TokenTables>): Store => ({
  ...store,
  ...change(store),
  atomically: work => store.atomically(tables => work({ ...tables, ...change(tables) })),
})
