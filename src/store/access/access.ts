import { z } from 'zod'
import { revocationChannel, tokenKeyChannel } from '../../domain/net/channels.ts'
import { jsonText } from '../../ports/rows/columns.ts'
import { insertion, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'

const keys = rowOf({
  number: z.number(),
  kid: z.string(),
  publicJwk: jsonText(z.record(z.string(), z.string())),
  sealed: z.string(),
  madeAt: z.number(),
})
const revocations = rowOf({ subject: z.string(), before: z.number(), until: z.number(), at: z.number() })

// A revocation is never weakened: the later of both times is kept.
const revoke = `insert into revocation (subject, before, until, at) values ($1, $2, $3, {NOW})
  on conflict (subject) do update set
    before = case when excluded.before > revocation.before then excluded.before else revocation.before end,
    until = case when excluded.until > revocation.until then excluded.until else revocation.until end,
    at = excluded.at`

/** Token signing keys and revocations. */
export const accessTable = tableGroup(({ read, write }) => ({
  tokenKeys: async () => keys.all(await read(`select ${keys.columns} from token_key order by number desc`)),

  addTokenKey: async key => {
    const [insert, params] = insertion('token_key', { ...key, publicJwk: JSON.stringify(key.publicJwk) }, ['madeAt'])
    await write(({ sql, notify }) => {
      notify(tokenKeyChannel)
      return sql(`${insert} on conflict (number) do nothing`, params)
    })
  },

  revoke: async ({ subject, before, until }) => {
    await write(({ sql, notify }) => {
      notify(revocationChannel)
      return sql(revoke, [subject, before, until])
    })
  },

  revocation: async subject =>
    revocations.one(await read(`select ${revocations.columns} from revocation where subject = $1`, [subject])),

  revocationsSince: async at =>
    revocations.all(await read(`select ${revocations.columns} from revocation where at >= $1 and until > {NOW}`, [at])),
}))
