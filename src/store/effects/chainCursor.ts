import { hex } from '../../domain/hex.ts'
import { whole } from '../../ports/rows/columns.ts'
import { followedBy, type Sql } from '../engine/db.ts'
import { rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'

const blocks = rowOf({ number: whole, hash: hex })

/** More blocks than a reorganisation replaces on any chain served here. A deeper one rewinds to the oldest kept block. */
const keptBlocks = 256n

// The newest block below the kept range stays, because a reorganisation of exactly that depth ends there.
const prune = `delete from chain_block where chain_id = $1 and (number > $2
  or number < (select max(older.number) from chain_block older where older.chain_id = $1 and older.number <= $3))`

const values = 'cast($1 as {BIGINT}), cast($2 as {BIGINT}), cast($3 as text)'
const thenVisit = `returning chain_id
  ${followedBy} insert into chain_block (chain_id, number, hash) select ${values} where {ADDED}
  on conflict (chain_id, number) do update set hash = excluded.hash`
const set = `insert into chain_cursor (chain_id, number, hash) values (${values})
  on conflict (chain_id) do update set number = excluded.number, hash = excluded.hash ${thenVisit}`
const advance = `update chain_cursor set number = $2, hash = $3 where chain_id = $1 and number = $4 and hash = $5 ${thenVisit}`

/** Blocks between two prunings, which take a statement of their own. */
const pruneEvery = 64n

export const cursorTable = tableGroup(({ read, run, write }) => ({
  cursor: async chainId => blocks.one(await read(`select ${blocks.columns} from chain_cursor where chain_id = $1`, [chainId])),

  setCursor: async (chainId, { number, hash }, from) => {
    const params = [chainId, number, hash]
    const move = (sql: Sql) => (from?.hash ? sql(advance, [...params, from.number, from.hash]) : sql(set, params))
    const goesOn = from?.hash !== undefined && number > from.number && number % pruneEvery !== 0n
    const moved = goesOn
      ? move(run)
      : write(async ({ sql, later }) => {
          later(prune, [chainId, number, number - keptBlocks])
          return move(sql)
        })
    return (await moved).length > 0
  },

  visitedBlocks: async chainId =>
    blocks.all(await read(`select ${blocks.columns} from chain_block where chain_id = $1 order by number desc`, [chainId])),
}))
