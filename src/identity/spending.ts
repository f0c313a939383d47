import type { Address } from '../domain/hex.ts'
import { sha256 } from '../domain/json.ts'
import type { Store } from '../ports.ts'

type Use = { wallet: Address; until: number; claimable: boolean }

/** Uses a code up that a wallet signed; false when it was used before. */
export type Spend = (code: string, use: Use) => Promise<boolean>

type Reach = { store: Pick<Store, 'atomically'>; revokeAll: (wallet: Address) => Promise<void> }

/** A fresh proof counts once. Whoever gave one needs no signature that travels with every request any more. */
export const createSpending =
  ({ store, revokeAll }: Reach): Spend =>
  async (code, use) => {
    const spent = await store.atomically(async tables => {
      const isFirst = await tables.spendCode({ ...use, code: sha256(code) })
      return isFirst && { usedBare: await tables.closeKeyMode(use.wallet) }
    })
    // Until now a token of this wallet could come from its bare signature, which others may have seen.
    if (spent !== false && spent.usedBare) await revokeAll(use.wallet)
    return spent !== false
  }
