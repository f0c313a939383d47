import type { Address } from '../domain/hex.ts'
import { sha256 } from '../domain/json.ts'
import type { Store } from '../ports.ts'

type Use = { wallet: Address; until: number; claimable: boolean }

/** Uses a code that a wallet signed; false when it was used before. */
export type Spend = (code: string, use: Use) => Promise<boolean>

type Reach = { store: Pick<Store, 'atomically'>; revokeAll: (wallet: Address) => Promise<void> }

/** A fresh proof can be used once. After it, the wallet no longer needs a bare signature that is repeated in every request. */
export const createSpending =
  ({ store, revokeAll }: Reach): Spend =>
  async (code, use) => {
    const spent = await store.atomically(async tables => {
      const isFirst = await tables.spendCode({ ...use, code: sha256(code) })
      return isFirst && { usedBare: await tables.closeKeyMode(use.wallet) }
    })
    // Until now a bare signature, which others may have seen, was enough for a token of this wallet. Those tokens are revoked.
    if (spent !== false && spent.usedBare) await revokeAll(use.wallet)
    return spent !== false
  }
