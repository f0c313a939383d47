import { hex } from '../../domain/hex.ts'
import { whole } from '../../ports/rows/columns.ts'
import type { Tables } from '../../ports.ts'
import { followedBy, type Scope } from '../engine/db.ts'
import { rowOf } from '../engine/rows.ts'

const blocks = rowOf({ number: whole, hash: hex })

/** More blocks than a reorganisation replaces on any chain served here. A deeper one rewinds to the oldest kept block. */
const keptBlocks = 256n

// The newest block below the kept range stays, because a reorganisation of exactly that depth ends there.
const prune = `delete from chain_block where chain_id = $1 and (number > $2
  or number < (select max(older.number) from chain_block older where older.chain_id = $1 and older.number <= $3))`

const values = 'cast($1 as {BIGINT}), cast($2 as {BIGINT}), cast($3 as text)'
const move = `insert into chain_cursor (chain_id, number, hash) values (${values})
  on conflict (chain_id) do update set number = excluded.number, hash = excluded.hash returning chain_id
  ${followedBy} insert into chain_block (chain_id, number, hash) select ${values} where {ADDED}
  on conflict (chain_id, number) do update set hash = excluded.hash`

export const cursorTable = ({ read, write }: Scope): Pick<Tables, 'cursor' | 'setCursor' | 'visitedBlocks'> => ({
  cursor: async chainId => blocks.one(await read(`select ${blocks.columns} from chain_cursor where chain_id = $1`, [chainId])),

  setCursor: (chainId, { number, hash }) =>
    write(async ({ later }) => {
      later(prune, [chainId, number, number - keptBlocks])
      later(move, [chainId, number, hash])
    }),

  visitedBlocks: async chainId =>
    blocks.all(await read(`select ${blocks.columns} from chain_block where chain_id = $1 order by number desc`, [chainId])),
})
