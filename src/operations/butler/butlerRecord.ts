import type { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import type { Address } from '../../domain/hex.ts'
import type { ButlerRow } from '../../ports.ts'
import type { butlerRecord } from '../../records/butler.ts'
import { toFigures } from '../agents/figures.ts'
import type { Deps } from '../operation.ts'

/** The handle of a user's butler: `butler.` and the first eight hex digits of the wallet. It is the same on every chain. */
export const butlerHandle = (wallet: Address): string => `butler.${wallet.slice(2, 10)}`

/** The API representation of a butler. `total_spent` includes fees; a butler has no revenue. */
export const toButlerRecord = async (row: ButlerRow, deps: Deps): Promise<z.infer<typeof butlerRecord>> => {
  const counts = (await deps.store.jobCounts({ user: row.wallet })).filter(it => it.chainId === row.chainId)
  // What the user paid, fees included. A butler has no revenue.
  const paid = toFigures(
    counts.map(it => ({ ...it, fee: 0n })),
    deps,
  )
  return {
    agent_id: `erc8004:${row.handle}`,
    handle: row.handle,
    display_name: 'Butler',
    wallet_address: await deps.wallets.ensure('user', row.wallet),
    owner_id: `user:${row.wallet}`,
    chain_id: row.chainId,
    stats: { total_jobs: paid.total, completed_jobs: paid.settled, total_revenue: 0, total_spent: paid.revenue },
    activated_at: toIso(row.createdAt),
  }
}
