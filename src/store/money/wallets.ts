import { z } from 'zod'
import { walletRow } from '../../ports/rows/agent.ts'
import type { Sql } from '../engine/db.ts'
import { insertion, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'

const wallets = rowOf(walletRow)

export const walletTable = tableGroup(({ read, write }) => ({
  wallet: (role, owner) => walletOf(read, role, owner),

  walletByAddress: async account =>
    wallets.one(await read(`select ${wallets.columns} from wallet where address = $1`, [account])),

  addWallet: wallet =>
    write(async ({ sql }) => {
      const [insert, params] = insertion('wallet', wallet)
      await sql(`${insert} on conflict (role, owner) do nothing`, params)
      return (await walletOf(sql, wallet.role, wallet.owner)) ?? wallet
    }),

  secret: name => secretOf(read, name),

  addSecret: (name, sealed) =>
    write(async ({ sql }) => {
      await sql('insert into secret (name, sealed) values ($1, $2) on conflict (name) do nothing', [name, sealed])
      return (await secretOf(sql, name)) ?? sealed
    }),
}))

const walletOf = async (sql: Sql, role: string, owner: string) =>
  wallets.one(await sql(`select ${wallets.columns} from wallet where role = $1 and owner = $2`, [role, owner]))

const secrets = rowOf({ sealed: z.string() })

const secretOf = async (sql: Sql, name: string) =>
  secrets.one(await sql('select sealed from secret where name = $1', [name]))?.sealed
