import { z } from 'zod'
import { dayMs, secondMs } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { purchaseRow } from '../../ports/rows/purchase.ts'
import type { PurchaseReads } from '../../ports.ts'
import type { Scope } from '../../store/engine/db.ts'
import { insertion, rowOf } from '../../store/engine/rows.ts'
import { approvalKey, removeParts } from '../../store/money/purchaseRows.ts'
import type { PurchaseTables, SellerAnswer } from './ports.ts'

const purchases = rowOf(purchaseRow)
const paged = rowOf({ ...purchaseRow, seq: z.number() })
const counted = z.coerce.number()
const counts = rowOf({ underWay: counted, today: counted, bytes: counted, bytesOfAll: counted })
const noPurchases = { underWay: 0, today: 0, bytes: 0, bytesOfAll: 0 }
const permitted = rowOf({ state: purchaseRow.state, amount: purchaseRow.amount })
const { columns } = purchases

/** Before its step begins, the purchase of a plan has only the id of the plan's run, as `<run>_pay_<number>`. */
const planId = `replace(rtrim(purchase.id, '0123456789'), '_pay_', '')`
const unused = `delete from purchase where "user" = $1 and state in ('proposed', 'declined') and created_at < {NOW} - ${dayMs}
  and not exists (select 1 from plan_step s where s.run_id = purchase.id)
  and not exists (select 1 from plan p where p.run_id = ${planId} and p.state in ('proposed', 'running'))`
const counting = `select coalesce(sum(case when due_at is not null then 1 else 0 end), 0) as under_way,
  coalesce(sum(case when created_at > {NOW} - ${dayMs} then 1 else 0 end), 0) as today,
  coalesce(sum(case when answer_parts > 0 then answer_bytes else 0 end), 0) as bytes,
  (select coalesce(sum(answer_bytes), 0) from purchase where answer_parts > 0) as bytes_of_all from purchase where "user" = $1`
const permitting = `select ${permitted.columns} from purchase p where "user" = $1 and chain_id = $2 and valid_before * 1000 >= $3
  and exists (select 1 from intent i where i.key = ${approvalKey})`

const replaced = ['method', 'url', 'body', 'asset', 'pay_to', 'amount', 'timeout_s', 'version', 'requirement', 'resource']
  .concat('extensions', 'description', 'outside', 'digest', 'chain_id', 'created_at')
  .map(it => `${it} = excluded.${it}`)
const replace = `on conflict (id) do update set ${replaced.join(', ')}, state = 'proposed'
  where purchase.is_by_butler = 1 and excluded.is_by_butler = 1 and purchase.agreed_at is null`

const ofConversation = `select ${columns} from purchase where agreed_at is not null
  and id in (select id from run where conversation_id = $1 and "user" = $2) order by seq desc limit $3`

const agree = `update purchase set state = 'paying', nonce = $2, valid_before = $3, mandate_id = $4, agreed_at = {NOW},
  due_at = {NOW}
  where id = $1 and digest = $5 and state = 'proposed' returning ${columns}`
/**
 * A time further ahead, in ms, was written before the clock was set back. A statement may wait 30 s for its row, and it compares the
 * lease of another process with its own start, so the bound is a lease and 40 s.
 */
const longestWaitMs = limits.purchaseLeaseMs + 40 * secondMs
const isDue = `(due_at <= {NOW} or due_at > {NOW} + ${longestWaitMs})`
const lease = `update purchase set due_at = {NOW} + ${limits.purchaseLeaseMs}, tries = tries + 1 where id = $1 and ${isDue}
  returning ${columns}`
const setAnswer = 'content_type = $3, content = $4, answer_bytes = $5, answer_ending = $6, answer_parts = $7'
const isUnanswered = `where id = $1 and status is null and state = 'paying'`
const answer = `update purchase set status = $2, ${setAnswer}, tries = 0, reason = '' ${isUnanswered} returning ${columns}`
const keepPartial = `update purchase set partial_status = $2, ${setAnswer} ${isUnanswered}`
// An answer that ended early is the answer if none followed.
const end = `update purchase set state = $2, hash = $3, reason = $4, taken = $5, due_at = null,
  status = case when $2 = 'paid' then coalesce(status, partial_status) else status end
  where id = $1 and state = 'paying' returning ${columns}`
const reopen = `update purchase set state = 'paying', hash = null, taken = null, reason = '', tries = 0, due_at = {NOW}
  where id = $1 and state in ('paid', 'unpaid') returning ${columns}`
const ended = `select ${paged.columns} from purchase where chain_id = $1 and seq > $2 and state in ('paid', 'unpaid')
  order by seq limit $3`

export const purchaseTable = (scope: Scope): PurchaseTables => ({
  ...proposing(scope),
  ...following(scope),
  ...answerPartTable(scope),
})

type Proposing = keyof PurchaseReads | 'addPurchase' | 'lockPurchases' | 'agreePurchase' | 'declinePurchase'

const proposing = ({ read, write }: Scope): Pick<PurchaseTables, Proposing> => ({
  addPurchase: ({ requirement, resource, extensions, isByButler, ...it }) =>
    write(async ({ sql }) => {
      await sql(unused, [it.user])
      const texts = { requirement: JSON.stringify(requirement), resource: resource && JSON.stringify(resource) }
      const echoed = extensions && JSON.stringify(extensions)
      const values = { ...it, ...texts, extensions: echoed, isByButler: isByButler ? 1 : 0 }
      const [insert, params] = insertion('purchase', values, ['createdAt'])
      await sql(`${insert} ${replace}`, params)
      return purchases.sole(await sql(`select ${columns} from purchase where id = $1`, [it.id]))
    }),

  purchase: async id => purchases.one(await read(`select ${columns} from purchase where id = $1`, [id])),

  purchases: async ({ user, limit }) =>
    purchases.all(await read(`select ${columns} from purchase where "user" = $1 order by seq desc limit $2`, [user, limit])),

  purchasesOfConversation: async (conversationId, user, limit) =>
    purchases.all(await read(ofConversation, [conversationId, user, limit])),

  lockPurchases: user =>
    write(async ({ sql }) => {
      await sql('select {LOCKED_NAME} as held', [`purchases:${user}`])
      return counts.one(await sql(counting, [user])) ?? noPurchases
    }),

  permittedPurchases: async ({ user, chainId, at }) => permitted.all(await read(permitting, [user, chainId, at])),

  agreePurchase: (id, { digest, nonce, validBefore, mandateId }) =>
    write(async ({ sql, notify }) => {
      notify('purchases')
      return purchases.one(await sql(agree, [id, nonce, validBefore, mandateId, digest]))
    }),

  declinePurchase: id =>
    write(async ({ sql }) => {
      const decline = `update purchase set state = 'declined' where id = $1 and state = 'proposed' returning ${columns}`
      return purchases.one(await sql(decline, [id]))
    }),
})

const following = ({ read, run, aside, write }: Scope): Omit<PurchaseTables, Proposing | keyof AnswerParts> => ({
  duePurchases: async limit =>
    aside.sound(
      'purchase',
      purchases,
      await read(`select ${columns} from purchase where ${isDue} order by due_at limit $1`, [aside.limit('purchase', limit)]),
    ),

  leasePurchase: async id => purchases.one(await run(lease, [id])),

  answerPurchase: (id, of) =>
    write(async ({ sql, notify }) => {
      notify(`run:${id}`)
      return purchases.one(await sql(answer, [id, ...toValues(of)]))
    }),

  keepPartialAnswer: (id, of) =>
    write(async ({ sql, notify }) => {
      notify(`run:${id}`)
      await sql(keepPartial, [id, ...toValues(of)])
    }),

  postponePurchase: async (id, { inMs, reason, tries }) => {
    const postpone = `update purchase set due_at = {NOW} + $2, reason = coalesce($3, reason), tries = coalesce($4, tries)
      where id = $1 and state = 'paying'`
    await run(postpone, [id, inMs, reason, tries])
  },

  endedPurchases: async (chainId, { afterSeq, limit }) =>
    aside.sound('purchase', paged, await read(ended, [chainId, afterSeq, aside.limit('purchase', limit)])),

  reopenPurchase: id =>
    write(async ({ sql, notify }) => {
      notify('purchases')
      return purchases.one(await sql(reopen, [id]))
    }),

  endPurchase: (id, { state, hash, reason, taken }) =>
    write(async ({ sql, notify }) => {
      notify(`run:${id}`)
      return purchases.one(await sql(end, [id, state, hash, reason, taken === undefined ? undefined : String(taken)]))
    }),
})

const toValues = (it: SellerAnswer) => [it.status, it.contentType, it.content, it.bytes, it.ending, it.parts]

type AnswerParts = Pick<PurchaseTables, 'addAnswerPart' | 'answerPart' | 'sweepAnswers'>

/** Answers deleted per transaction, each with up to 8 MiB. Other writes can proceed in between. */
const answersAtOnce = 20

const parts = rowOf({ body: z.instanceof(Uint8Array) })
const old = `select distinct purchase_id as id from answer_part where created_at < {NOW} - $1 limit ${answersAtOnce}`

const answerPartTable = ({ read, write }: Scope): AnswerParts => ({
  addAnswerPart: (id, at, bytes) =>
    write(async ({ sql }) => {
      if (at === 0) await removeParts(sql, id)
      await sql(...insertion('answer_part', { purchaseId: id, at, body: bytes }, ['createdAt']))
    }),

  async answerPart(id, at) {
    const rows = await read(`select ${parts.columns} from answer_part where purchase_id = $1 and at = $2`, [id, at])
    return parts.one(rows)?.body
  },

  sweepAnswers: keepMs =>
    write(async ({ sql }) => {
      const ids = (await sql(old, [keepMs])).map(row => String(row.id))
      for (const id of ids) await removeParts(sql, id)
      return ids.length === answersAtOnce
    }),
})
