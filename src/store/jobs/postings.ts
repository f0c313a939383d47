import { z } from 'zod'
import { json, jsonObject } from '../../domain/json.ts'
import { postingState } from '../../domain/posting.ts'
import type { Tables } from '../../ports.ts'
import type { Scope, Value } from '../engine/db.ts'
import { flag, insertion, jsonText, maybe, rowOf } from '../engine/rows.ts'

const postings = rowOf({
  id: z.string(),
  chainId: z.number(),
  state: postingState,
  description: z.string(),
  rewardAmount: z.string(),
  rewardToken: z.string(),
  clientId: z.string(),
  clientKey: z.string(),
  isProven: flag,
  providerId: z.string(),
  providerKey: z.string(),
  evaluatorId: z.string(),
  evaluatorKey: z.string(),
  metadata: jsonText(jsonObject),
  deliverable: maybe(jsonText(json)),
  reason: z.string(),
  expiresAt: z.number(),
  createdAt: z.number(),
  updatedAt: z.number(),
})

const move = `update posted_job set state = $2, provider_id = coalesce($3, provider_id), provider_key = coalesce($4, provider_key),
  deliverable = coalesce($5, deliverable), reason = coalesce($6, reason), updated_at = {NOW}
  where id = $1 and expires_at > {NOW} and (provider_key = '' or $4 is null or provider_key = $4)`

type PostingTables = Pick<Tables, 'addPosting' | 'posting' | 'movePosting' | 'postings'>

/** Jobs that were posted by hand. */
export const postingTable = ({ read, write }: Scope): PostingTables => ({
  addPosting: posting =>
    write(async ({ sql }) => {
      const values = { ...posting, metadata: JSON.stringify(posting.metadata), state: 'open', reason: '' }
      const [insert, params] = insertion('posted_job', values, ['createdAt', 'updatedAt'])
      const added = postings.one(await sql(`${insert} returning ${postings.columns}`, params))
      if (!added) throw new Error('an insert returned no row')
      return added
    }),

  posting: async id => postings.one(await read(`select ${postings.columns} from posted_job where id = $1`, [id])),

  movePosting: (id, { from, to, patch }) =>
    write(async ({ sql }) => {
      const { providerId, providerKey, deliverable, reason } = patch
      const params: Value[] = [id, to, providerId, providerKey, deliverable && JSON.stringify(deliverable), reason]
      const states = from.map((_, at) => `$${params.length + at + 1}`).join(', ')
      const text = `${move} and state in (${states}) returning ${postings.columns}`
      return postings.one(await sql(text, [...params, ...from]))
    }),

  postings: async ({ key, chainId, limit, offset }) => {
    const params: Value[] = [limit, offset]
    const conditions: string[] = []
    const bind = (value: Value) => `$${params.push(value)}`
    if (key !== undefined) {
      const mark = bind(key)
      conditions.push(`(client_key = ${mark} or provider_key = ${mark} or evaluator_key = ${mark})`)
    }
    if (chainId !== undefined) conditions.push(`chain_id = ${bind(chainId)}`)
    const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
    const page = `order by seq desc limit $1 offset $2`
    return postings.all(await read(`select ${postings.columns} from posted_job ${where} ${page}`, params))
  },
})
