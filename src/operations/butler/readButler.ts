import { z } from 'zod'
import { toWallet } from '../../domain/hex.ts'
import { Problem } from '../../domain/problem.ts'
import { butlerRecord } from '../../records/butler.ts'
import { operation, userOf } from '../operation.ts'
import { toButlerRecord } from './butlerRecord.ts'

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
