import { hex } from '../../domain/hex.ts'
import type { Tables } from '../../ports.ts'
import type { Scope } from '../engine/db.ts'
import { rowOf, whole } from '../engine/rows.ts'

const blocks = rowOf({ number: whole, hash: hex })

/** Deeper than any chain served here takes back what it said; beyond it a reorganisation is walked back at once. */
const keptBlocks = 256n

// The newest block below the kept ones stays: a reorganisation of just that depth ends there.
const prune = `delete from chain_block where chain_id = $1
  and number < (select max(older.number) from chain_block older where older.chain_id = $1 and older.number <= $2)`

export const cursorTable = ({ read, write }: Scope): Pick<Tables, 'cursor' | 'setCursor' | 'visitedBlocks'> => ({
  cursor: async chainId => blocks.one(await read(`select ${blocks.columns} from chain_cursor where chain_id = $1`, [chainId])),

  setCursor: (chainId, { number, hash }) =>
    write(async ({ sql }) => {
      await sql(
        `insert into chain_cursor (chain_id, number, hash) values ($1, $2, $3)
         on conflict (chain_id) do update set number = excluded.number, hash = excluded.hash`,
        [chainId, number, hash],
      )
      await sql('delete from chain_block where chain_id = $1 and number > $2', [chainId, number])
      await sql(
        `insert into chain_block (chain_id, number, hash) values ($1, $2, $3)
         on conflict (chain_id, number) do update set hash = excluded.hash`,
        [chainId, number, hash],
      )
      await sql(prune, [chainId, number - keptBlocks])
    }),

  visitedBlocks: async chainId =>
    blocks.all(await read(`select ${blocks.columns} from chain_block where chain_id = $1 order by number desc`, [chainId])),
})
