import { address } from '../../domain/hex.ts'
import type { Scope } from '../../store/engine/db.ts'
import { countOf, hasRow, insertion, rowOf } from '../../store/engine/rows.ts'
import { type PasskeyTables, passkeyProofRow, passkeyRow } from './ports.ts'

const passkeys = rowOf(passkeyRow)
const proofs = rowOf(passkeyProofRow)
const owner = rowOf({ wallet: address })

const ofWallet = `select ${passkeys.columns} from passkey where wallet = $1 order by created_at desc`
// Authenticators that do not count say 0 each time.
const use = `update passkey set counter = $2, used_at = {NOW}
  where id = $1 and (counter < $2 or counter = 0 and $2 = 0) returning id`
const remove = `delete from passkey where id = $1 and wallet = $2
  and exists (select 1 from passkey other where other.wallet = $2 and other.id <> $1) returning id`
const keep = `insert into passkey_recovery (wallet, hash, at) values ($1, $2, {NOW})
  on conflict (wallet) do update set hash = excluded.hash, at = excluded.at`
const recover = 'update passkey_recovery set hash = $2, at = {NOW} where hash = $1 returning wallet'

export const passkeyTable = ({ read, run, write }: Scope): PasskeyTables => ({
  addPasskey: (passkey, most) =>
    write(async ({ sql }) => {
      await sql('select {LOCKED_NAME} as held', [`passkeys:${passkey.wallet}`])
      if ((await countOf(sql('select count(*) as total from passkey where wallet = $1', [passkey.wallet]))) >= most) return false
      const [insert, params] = insertion('passkey', passkey, ['createdAt', 'usedAt'])
      return hasRow(sql(`${insert} on conflict (id) do nothing returning id`, params))
    }),

  passkey: async id => passkeys.one(await read(`select ${passkeys.columns} from passkey where id = $1`, [id])),
  passkeysOf: async wallet => passkeys.all(await read(ofWallet, [wallet])),
  usePasskey: (id, counter) => hasRow(run(use, [id, counter])),

  removePasskey: (id, wallet) =>
    write(async ({ sql }) => {
      // Two requests at once must not remove the last two.
      await sql('select {LOCKED_NAME} as held', [`passkeys:${wallet}`])
      return hasRow(sql(remove, [id, wallet]))
    }),

  keepRecovery: async (wallet, hash) => {
    await run(keep, [wallet, hash])
  },
  useRecovery: async (hash, next) => owner.one(await run(recover, [hash, next]))?.wallet,

  addPasskeyProof: async proof => {
    await run(...insertion('passkey_proof', proof, ['createdAt']))
  },
  passkeyProofs: async (wallet, limit) => {
    const text = `select ${proofs.columns} from passkey_proof where wallet = $1 order by created_at desc limit $2`
    return proofs.all(await read(text, [wallet, limit]))
  },
})
