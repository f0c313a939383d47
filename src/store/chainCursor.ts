import { hex } from '../domain/hex.ts'
import type { Tables } from '../ports.ts'
import type { Scope } from './db.ts'
import { rowOf, whole } from './rows.ts'

const cursors = rowOf({ number: whole, hash: hex })

export const cursorTable = ({ read, write }: Scope): Pick<Tables, 'cursor' | 'setCursor'> => ({
  cursor: async chainId => cursors.one(await read(`select ${cursors.columns} from chain_cursor where chain_id = $1`, [chainId])),

  setCursor: (chainId, { number, hash }) =>
    write(async ({ sql }) => {
      await sql(
        `insert into chain_cursor (chain_id, number, hash) values ($1, $2, $3)
         on conflict (chain_id) do update set number = excluded.number, hash = excluded.hash`,
        [chainId, number, hash],
      )
    }),
})
