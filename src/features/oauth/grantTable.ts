import type { Scope } from '../../store/engine/db.ts'
import { countOf, hasRow, insertion, rowOf } from '../../store/engine/rows.ts'
import { type GrantTables, grantRow, type NextRefresh } from './ports.ts'

const grants = rowOf(grantRow)

const mostShown = 100
/** A grant can be used while its code or its refresh token is valid. */
const usable = '(code_hash is not null and code_until > {NOW} or refresh_hash is not null and refresh_until > {NOW})'

/** Replaces one secret of a grant by the next refresh token. */
const replacing = (condition: string) => `update program_grant
  set code_hash = null, refresh_hash = $3, refresh_until = $4, used_at = {NOW}
  where id = $1 and ended_at is null and ${condition} returning id`
const byCode = replacing('code_hash = $2 and code_until > {NOW}')
const byRefresh = replacing('refresh_hash = $2 and refresh_until > {NOW}')
const ending = `update program_grant set ended_at = {NOW}, code_hash = null, refresh_hash = null
  where id = $1 and wallet = $2 and ended_at is null returning id`

const ofWallet = `select ${grants.columns} from program_grant
  where wallet = $1 and ended_at is null and ${usable} order by created_at desc limit $2`

export const grantTable = ({ read, run, write }: Scope): GrantTables => {
  const replace = (text: string, [id, hash]: [string, string], { refreshHash, refreshUntil }: NextRefresh) =>
    hasRow(run(text, [id, hash, refreshHash, refreshUntil]))

  return {
    addGrant: (grant, most) =>
      write(async ({ sql }) => {
        // Locks the wallet by name, because a wallet without grants has no row to lock.
        await sql('select {LOCKED_NAME} as held', [`programs:${grant.wallet}`])
        await sql(`delete from program_grant where wallet = $1 and (ended_at is not null or not ${usable})`, [grant.wallet])
        const others = await countOf(sql('select count(*) as total from program_grant where wallet = $1', [grant.wallet]))
        if (others >= most) return false
        const values = { ...grant, scopes: grant.scopes.join(' '), refreshUntil: 0 }
        await sql(...insertion('program_grant', values, ['createdAt', 'usedAt']))
        return true
      }),

    grant: async id => grants.one(await read(`select ${grants.columns} from program_grant where id = $1`, [id])),

    useCode: (id, codeHash, next) => replace(byCode, [id, codeHash], next),
    useRefresh: (id, refreshHash, next) => replace(byRefresh, [id, refreshHash], next),

    endGrant: (id, wallet) => hasRow(run(ending, [id, wallet])),

    grantsOf: async wallet => grants.all(await read(ofWallet, [wallet, mostShown])),
  }
}
