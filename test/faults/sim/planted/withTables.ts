import type { TokenTables } from '../../../../src/features/tokens/ports.ts'
import type { PaidCallTables } from '../../../../src/features/x402Selling/ports.ts'
import type { Store, Tables } from '../../../../src/ports.ts'

/** Replaces functions of the store, outside and inside transactions. */
export const withTables = (store: Store, change: (tables: Tables) => Partial<Tables & TokenTables & PaidCallTables>): Store => ({
  ...store,
  ...change(store),
  atomically: work => store.atomically(tables => work({ ...tables, ...change(tables) })),
})
