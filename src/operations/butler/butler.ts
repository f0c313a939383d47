import { z } from 'zod'
import { anyChainId } from '../../domain/chains/chains.ts'
import { toIso } from '../../domain/durations.ts'
import { type Address, toWallet } from '../../domain/hex.ts'
import { Problem } from '../../domain/problem.ts'
import type { ButlerRow } from '../../ports.ts'
import { butlerRecord } from '../../records/conversation.ts'
import { toFigures } from '../agents/reputations.ts'
import { chainOf, type Deps, operation, userOf } from '../operation.ts'

/** The handle of a user's butler: `butler.` and the first eight hex digits of the wallet. It is the same on every chain. */
export const butlerHandle = (wallet: Address): string => `butler.${wallet.slice(2, 10)}`

/** The API representation of a butler. `total_spent` includes fees; a butler has no revenue. */
const toButlerRecord = async (row: ButlerRow, deps: Deps): Promise<z.infer<typeof butlerRecord>> => {
  const counts = (await deps.store.jobCounts({ user: row.wallet })).filter(it => it.chainId === row.chainId)
  // What the user paid, fees included. A butler has no revenue.
  const withFees = counts.map(it => ({ ...it, fee: 0n }))
  const paid = toFigures(withFees, deps)
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

export const readButler = operation({
  name: 'readButler',
  summary: "The user's butler on a chain; 404 while it is not active there.",
  scope: 'look',
  input: z.object({ chain_id: z.coerce.number().int().optional(), wallet_address: z.string().max(200).optional() }),
  output: butlerRecord,

  async run({ chain_id, wallet_address }, deps, caller) {
    const wallet = userOf(caller)
    const isOther = wallet_address !== undefined && toWallet(wallet_address) !== wallet
    const row = isOther ? undefined : await deps.store.butler(wallet, chain_id)
    if (!row) throw new Problem('orchestrator-inactive', 'Activate it with POST /butler/activate and a chain_id.')
    return toButlerRecord(row, deps)
  },
})

export const readButlerStats = operation({
  name: 'readButlerStats',
  summary: "Statistics of the user's butler.",
  scope: 'look',
  input: z.object({ chain_id: z.coerce.number().int().optional() }),
  output: butlerRecord.shape.stats.extend({ chain_id: z.number(), agent_id: z.string() }),

  async run({ chain_id }, deps, caller) {
    const row = await deps.store.butler(userOf(caller), chain_id)
    if (!row) throw new Problem('orchestrator-inactive')
    const { stats, agent_id } = await toButlerRecord(row, deps)
    return { ...stats, chain_id: row.chainId, agent_id }
  },
})

/** The token is the only credential. A wallet, signature or text in the body is ignored. */
export const activateButler = operation({
  name: 'activateButler',
  summary: "Activate the user's butler on a chain. There is one per wallet and chain; activating it again returns the same one.",
  scope: 'hire',
  input: z.object({ chain_id: anyChainId, wallet_address: z.string().max(200).nullish() }).loose(),
  output: butlerRecord.extend({ status: z.literal('activated') }),

  async run({ chain_id, wallet_address }, deps, caller) {
    const wallet = userOf(caller)
    if (wallet_address && toWallet(wallet_address) !== wallet)
      throw new Problem('wrong-owner', 'wallet_address does not match the wallet of the token.', '/wallet_address')
    chainOf(deps, chain_id)
    const row = await deps.store.activateButler(wallet, chain_id, butlerHandle(wallet))
    return { ...(await toButlerRecord(row, deps)), status: 'activated' as const }
  },
})
