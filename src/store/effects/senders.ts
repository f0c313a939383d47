import { z } from 'zod'
import { address } from '../../domain/hex.ts'
import type { Tx } from '../engine/db.ts'
import type { Holder } from '../engine/holder.ts'
import { rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'

const noted = rowOf({ address, note: z.string() })

// Takes the lease of a sender when it is free, already ours, or expired.
const hold = `insert into sender (chain_id, address, holder, held_until) values ($1, $2, $3, {NOW} + $4)
  on conflict (chain_id, address) do update set holder = excluded.holder, held_until = excluded.held_until
  where sender.holder = excluded.holder or sender.held_until is null or sender.held_until < {NOW} returning address, note`

const take = `update sender set holder = $2, held_until = {NOW} + $3 where chain_id = $1 and holder <> $2
  and held_until is not null`

const note = `insert into sender (chain_id, address, holder, note) values ($1, $2, '', $3)
  on conflict (chain_id, address) do update set note = excluded.note where sender.note <> excluded.note`

/**
 * A lease is renewed when less than half of it is left. A busy sender asks many times a second, so it need not write each time.
 */
const renewAt = 1 / 2
/** Leases of wallets: only the holder sends a wallet's transactions. */
export const senderTable = tableGroup(({ read, run }, holder: Holder) => ({
  leaseSender: async (chainId, sender, leaseMs) => {
    const key = `${chainId}:${sender}`
    const asked = performance.now()
    const known = holder.held.get(key)
    if (known && asked < known.until) return { note: known.note }
    const held = noted.one(await run(hold, [chainId, sender, holder.name, leaseMs]))
    if (held) holder.held.set(key, { note: held.note, until: asked + leaseMs * renewAt, ends: asked + leaseMs })
    else holder.held.delete(key)
    return held && { note: held.note, isTaken: !known || asked >= known.ends }
  },

  takeSenders: async (chainId, leaseMs) => {
    await run(take, [chainId, holder.name, leaseMs])
  },

  noteSender: async (chainId, sender, text) => {
    await run(note, [chainId, sender, text])
    const known = holder.held.get(`${chainId}:${sender}`)
    if (known) known.note = text
  },

  senderNotes: async chainId => {
    const rows = await read(`select address, note from sender where chain_id = $1 and note <> '' order by address`, [chainId])
    return noted.all(rows).map(it => ({ sender: it.address, note: it.note }))
  },
}))

/** An SQL condition that is true when no other process holds the lease of the sender. */
export const isOurs = (at: { chainId: string; sender: string; holder: string }) =>
  `not exists (select 1 from sender s where s.chain_id = ${at.chainId} and s.address = ${at.sender}
    and s.holder <> ${at.holder} and s.held_until >= {NOW})`

/** Ends the sender leases of one process, or of all. */
export const freeSenders = ({ sql }: Tx, holder?: string) =>
  sql(`update sender set held_until = null where held_until is not null${holder === undefined ? '' : ' and holder = $1'}`, [
    ...(holder === undefined ? [] : [holder]),
  ])
