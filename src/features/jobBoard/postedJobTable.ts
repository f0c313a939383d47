import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import type { Scope, Value } from '../../store/engine/db.ts'
import { insertion, placesOf, rowOf, withoutLong } from '../../store/engine/rows.ts'
import { type BoardFilter, boardRow, type PostedJobTables, postedJobRow } from './ports.ts'

const board = rowOf(boardRow)
const postings = rowOf(postedJobRow)

const listedColumns = withoutLong(postings.columns, {
  metadata: limits.metadataBytes,
  deliverable: limits.listedDeliverableChars,
})

const move = `update posted_job set state = $2, provider_id = coalesce($3, provider_id), provider_key = coalesce($4,
  provider_key),
  deliverable = coalesce($5, deliverable), reason = coalesce($6, reason),
  is_provider_proven = coalesce($7, is_provider_proven), updated_at = {NOW}
  where id = $1 and expires_at > {NOW} and (provider_key = '' or $4 is null or provider_key = $4)`

export const postedJobTable = ({ read, write }: Scope): PostedJobTables => ({
  addPostedJob: posting =>
    write(async ({ sql }) => {
      const values = { ...posting, metadata: JSON.stringify(posting.metadata), state: 'open', reason: '' }
      const [insert, params] = insertion('posted_job', values, ['createdAt', 'updatedAt'])
      return postings.sole(await sql(`${insert} returning ${postings.columns}`, params))
    }),

  postedJob: async id => postings.one(await read(`select ${postings.columns} from posted_job where id = $1`, [id])),

  movePostedJob: (id, { from, to, patch }) =>
    write(async ({ sql }) => {
      const { providerId, providerKey, isProviderProven, deliverable, reason } = patch
      const text = deliverable === undefined ? undefined : JSON.stringify(deliverable)
      const params: Value[] = [id, to, providerId, providerKey, text, reason, isProviderProven]
      const moving = `${move} and state in (${placesOf(from, params.length + 1)}) returning ${postings.columns}`
      return postings.one(await sql(moving, [...params, ...from]))
    }),

  board: async ({ limit, offset, ...filter }) => {
    const { where, params } = boardFilter(filter)
    const place = `order by seq desc limit $${params.length + 1} offset $${params.length + 2}`
    const [rows, [count]] = await Promise.all([
      read(`select ${board.columns} from posted_job ${where} ${place}`, [...params, limit, offset]),
      read(`select count(*) as total from posted_job ${where}`, params),
    ])
    return { page: board.all(rows), total: Number(count?.total) }
  },

  postedJobsOf: async ({ wallet, role, chainId, limit }) => {
    const onChain = chainId === undefined ? '' : 'and chain_id = $3'
    const text = `select ${listedColumns} from posted_job where ${proofs[role]} ${onChain} order by seq desc limit $2`
    return postings.all(await read(text, [wallet, limit, ...(chainId === undefined ? [] : [chainId])]))
  },

  lockPostedJobCounts: ({ wallet, source }) =>
    write(async ({ sql }) => {
      await sql('select {LOCKED_NAME} as held', ['postings'])
      const [row] = await sql(counting, [wallet, source])
      return counts.parse(row)
    }),
})

const proofs = {
  client: 'client_key = $1 and is_proven = 1',
  provider: 'provider_key = $1 and is_provider_proven = 1',
  evaluator: 'evaluator_key = $1 and is_proven = 1',
}

const counting = `select
  (select count(*) from posted_job where is_proven = 1 and client_key = $1) as "ofWallet",
  (select count(*) from posted_job where source = $2) as "ofAddress",
  (select count(*) from posted_job where is_proven = 0) as "ofStrangers",
  (select count(*) from posted_job where is_proven = 1) as "ofUsers"`
const number = z.coerce.number()
const counts = z.object({ ofWallet: number, ofAddress: number, ofStrangers: number, ofUsers: number })

/** Conditions of each board status at a given time. An open posting that has expired is closed. */
const statuses: Record<NonNullable<BoardFilter['status']>, (now: () => string) => string> = {
  open: now => `state = 'open' and expires_at > ${now()}`,
  fulfilled: () => `state = 'completed'`,
  closed: now => `state <> 'completed' and not (state = 'open' and expires_at > ${now()})`,
}

const boardFilter = ({ now, chainId, status, query }: BoardFilter) => {
  const params: Value[] = []
  const bind = (value: Value) => `$${params.push(value)}`
  const like = (text: string) => bind(`%${text.replace(/[\\%_]/g, '\\$&')}%`)
  // SQLite folds only ASCII letters, so the text is also searched in its original case.
  const conditions = [
    ...(chainId === undefined ? [] : [`chain_id = ${bind(chainId)}`]),
    ...(status === undefined ? [] : [statuses[status](() => bind(now))]),
    ...(query
      ? [`(lower(description) like ${like(query.toLowerCase())} escape '\\' or description like ${like(query)} escape '\\')`]
      : []),
  ]
  return { where: conditions.length > 0 ? `where ${conditions.join(' and ')}` : '', params }
}
