import { z } from 'zod'
import { json } from '../../domain/json.ts'
import { jsonText, maybe } from '../../ports/rows/columns.ts'
import { insertion, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'

const claims = rowOf({ requestHash: z.string(), answer: maybe(jsonText(json)) })

/** Keys deleted per transaction. Other writes can proceed in between. */
const keysAtOnce = 1_000
const old = `delete from idempotency where (scope, key) in
  (select scope, key from idempotency where at < {NOW} - $1 order by at limit ${keysAtOnce}) returning key`

export const idempotencyTable = tableGroup(({ write }) => ({
  sweepKeys: keepMs => write(async ({ sql }) => (await sql(old, [keepMs])).length === keysAtOnce),

  claimKey: (scope, key, requestHash) =>
    write(async ({ sql }) => {
      const [insert, params] = insertion('idempotency', { scope, key, requestHash }, ['at'])
      const claimed = await sql(`${insert} on conflict (scope, key) do nothing returning key`, params)
      if (claimed.length > 0) return 'claimed'
      const first = claims.one(await sql(`select ${claims.columns} from idempotency where scope = $1 and key = $2`, [scope, key]))
      return first ?? 'claimed'
    }),

  answerKey: (scope, key, answer) =>
    write(async ({ sql }) => {
      // The first answer is kept, whatever a repeated run of the work returns.
      const set = 'update idempotency set answer = $3 where scope = $1 and key = $2 and answer is null'
      await sql(set, [scope, key, JSON.stringify(answer)])
    }),
}))
