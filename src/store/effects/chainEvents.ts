import { z } from 'zod'
import { hex } from '../../domain/hex.ts'
import { amount, whole } from '../../ports/rows/columns.ts'
import { hasRow, insertion, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'

const kept = rowOf({
  seq: z.number(),
  blockNumber: whole,
  blockHash: hex,
  txHash: hex,
  place: z.number(),
  name: z.enum(['JobCreated', 'JobFunded', 'JobSubmitted', 'PaymentReleased', 'Refunded']),
  chainJobId: amount,
})

/** Processed escrow events. An event is removed when a reorganisation reverts it. */
export const chainEventTable = tableGroup(({ read, aside, run, write }) => ({
  addChainEvent: (chainId, event) =>
    write(async ({ sql }) => {
      const { blockNumber, blockHash, txHash, place, name, chainJobId } = event
      const values = { chainId, blockNumber, blockHash, txHash, place, name, chainJobId }
      const [insert, params] = insertion('chain_event', values)
      const [added] = await sql(`${insert} on conflict (chain_id, tx_hash, place) do nothing returning seq`, params)
      return added && Number(added.seq)
    }),

  chainEvents: async (chainId, above) => {
    const select = `select ${kept.columns} from chain_event where chain_id = $1 and block_number > $2 order by seq desc`
    return aside.sound('chain_event', kept, await read(select, [chainId, above]))
  },

  placeChainEvent: async (seq, { blockNumber, blockHash }) =>
    void (await write(({ sql }) =>
      sql('update chain_event set block_number = $2, block_hash = $3 where seq = $1', [seq, blockNumber, blockHash]),
    )),

  dropChainEvent: seq => hasRow(run('delete from chain_event where seq = $1 returning seq', [seq])),
}))
