import { z } from 'zod'
import { address } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import { confirmationReason, isLive as holds, leftOf, type Mandate, period, periods } from '../../domain/money/mandate.ts'
import type { Atomic } from '../../domain/money/money.ts'
import { amount, jsonText, maybe } from '../../ports/rows/columns.ts'
import type { Drawing, Drawn, MandateTables, UsedMandate } from '../../ports.ts'
import type { Scope, Sql } from '../engine/db.ts'
import { nowOf } from '../engine/now.ts'
import { countOf, hasRow, insertion, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'

const mandates = rowOf({
  id: z.string(),
  user: address,
  chainId: z.number(),
  decimals: z.number(),
  maxPerJob: amount,
  maxPerPeriod: amount,
  period,
  askAbove: amount,
  categories: jsonText(z.array(z.string())),
  payees: jsonText(z.array(z.string())),
  expiresAt: z.number(),
  createdAt: z.number(),
  revokedAt: maybe(z.number()),
})
const amounts = rowOf({ amount })
const live = 'and revoked_at is null and expires_at > {NOW}'

export const mandateTable = (scope: Scope): MandateTables => ({ ...writing(scope), ...drawing(scope), ...reading(scope) })

const writing = tableGroup(({ write }) => ({
  addMandate: ({ categories, payees, ...it }) =>
    write(async ({ sql }) => {
      const lists = { categories: JSON.stringify(categories), payees: JSON.stringify(payees) }
      const [insert, params] = insertion('mandate', { ...it, ...lists }, ['createdAt'])
      await sql(`${insert} on conflict (id) do nothing`, params)
      const stands = await mandateOf(sql, it.id)
      if (!stands) throw new Error('an insert left no row')
      return stands
    }),

  lockMandateCount: (user, chainId) =>
    write(async ({ sql }) => {
      // The user's oldest mandate serves as the lock, so that concurrent counts wait for each other.
      await sql('select id from mandate where "user" = $1 order by seq limit 1 {LOCK}', [user])
      const counting = `select count(*) as total from mandate where "user" = $1 and chain_id = $2 ${live}`
      return countOf(sql(counting, [user, chainId]))
    }),

  revokeMandate: (id, user) =>
    write(async ({ sql }) => {
      // The lock comes first, so that the time of the update is after every job opened under the mandate.
      const own = await sql('select id from mandate where id = $1 and "user" = $2 {LOCK}', [id, user])
      if (own.length === 0) return undefined
      await sql(revoke, [id])
      const revoked = await mandateOf(sql, id)
      return revoked && withUsed(sql, revoked)
    }),
}))

// A revocation never precedes a job opened under the mandate, whatever the clock says, because that job had its consent.
const lastOpened = `(select max(coalesce(j.created_at, p.agreed_at)) from mandate_drawing d left join job j on j.run_id = d.run_id
  left join purchase p on p.id = d.run_id where d.mandate_id = $1)`
const revoke = `update mandate set revoked_at = case when ${lastOpened} > {NOW} then ${lastOpened} else {NOW} end
  where id = $1 and revoked_at is null`

const ofRun = `select ${mandates.columns} from mandate m where m.id = $1 and exists
  (select 1 from run r where r.id = $2 and r."user" = m."user" and r.chain_id = m.chain_id) {LOCK}`
const ofTerms = 'select 1 as one from mandate_drawing where run_id = $1 and mandate_id = $2 and terms_digest = $3 {LOCK}'
const lockDrawingOf = 'select 1 as one from mandate_drawing where run_id = $1 {LOCK}'
const reserve = `on conflict (run_id) do update set mandate_id = excluded.mandate_id, terms_digest = excluded.terms_digest,
  amount = excluded.amount, at = excluded.at`

const drawing = tableGroup(({ write }) => ({
  drawOnMandate: it =>
    write(async ({ sql }) => {
      const mandate = mandates.one(await sql(ofRun, [it.mandateId, it.runId]))
      const drawn = mandate ? await decide(sql, mandate, it) : { isCovered: false as const, why: 'the mandate does not exist' }
      if (!drawn.isCovered) await giveBack(sql, it.runId)
      return drawn
    }),

  lockDrawing: of => write(({ sql }) => lockDrawingIn(sql, of)),
}))

/** Like `lockDrawing`, inside a transaction. */
export const lockDrawingIn = async (sql: Sql, { runId, mandateId, digest }: Locking): Promise<boolean> => {
  const mandate = mandates.one(await sql(ofRun, [mandateId, runId]))
  // Read after the lock. Another process may have drawn for the same terms on another mandate, and this drawing stays.
  const isDrawn = mandate && (await hasRow(sql(ofTerms, [runId, mandateId, digest])))
  if (!isDrawn) return false
  if (holds(mandate, await nowOf(sql))) return true
  await giveBack(sql, runId)
  return false
}
type Locking = Pick<Drawing, 'runId' | 'mandateId' | 'digest'>

const decide = async (
  sql: Sql,
  mandate: Mandate,
  { runId, digest, amount, categories, also, payee }: Drawing,
): Promise<Drawn> => {
  const now = await nowOf(sql)
  // Lapsed drawings are deleted, so that a hire that returns later finds its drawing gone even if the clock was set back.
  await sql(lapse, [mandate.id, now - limits.reservedMs])
  const used = await usedOf(sql, { mandate, now, exceptRun: runId })
  // The run may be opening its job under another mandate, whose lock says nothing here.
  await sql(lockDrawingOf, [runId])
  const [spent] = await sql(`select 1 as one where ${isSpent('$1')}`, [runId])
  const why = spent ? 'the run has its job' : confirmationReason(mandate, { amount, categories, also, payee, used, now })
  if (why !== undefined) return { isCovered: false, why }
  const row = { runId, mandateId: mandate.id, termsDigest: digest, amount }
  const [insert, params] = insertion('mandate_drawing', row, ['at'])
  await sql(`${insert} ${reserve}`, params)
  return { isCovered: true, left: leftOf(mandate, used + amount) }
}

/** SQL condition: the run has opened its job, its plan runs, or the user consented to its purchase. */
const isSpent = (run: string) =>
  `exists (select 1 from job j where j.run_id = ${run})
  or exists (select 1 from plan pl where pl.run_id = ${run} and pl.agreed_at is not null)
  or exists (select 1 from purchase p where p.id = ${run} and p.agreed_at is not null)`

const lapse = `delete from mandate_drawing where mandate_id = $1 and at <= $2
  and not (${isSpent('mandate_drawing.run_id')})`

// A drawing with an opened job, or with a purchase that has a consent, is spent and stays. Another process may have advanced
// the run in the meantime.
const giveBack = (sql: Sql, runId: string) =>
  sql(`delete from mandate_drawing where run_id = $1 and not (${isSpent('$1')})`, [runId])

// The mandate must be valid when the job was opened, or now if no job exists yet. Without a job, a revocation in the same
// millisecond counts. A job is never opened under a mandate that has ended.
const yes = `select ${mandates.columnsOf('m')}, d.amount from mandate_drawing d
  join mandate m on m.id = d.mandate_id
  join run r on r.id = d.run_id and r."user" = m."user" and r.chain_id = m.chain_id
  left join job j on j.run_id = d.run_id
  left join purchase p on p.id = d.run_id and p.agreed_at is not null
  where (j.id is null or j.mandate_id = m.id) and (p.id is null or p.mandate_id = m.id) and d.run_id = $1 and d.terms_digest = $2
  and m.expires_at > coalesce(j.created_at, p.agreed_at, {NOW})
  and (m.revoked_at is null or m.revoked_at >= coalesce(j.created_at, p.agreed_at))`

const reading = tableGroup(({ read }) => ({
  mandates: async ({ user, chainId, isLive = false, limit }) => {
    const conditions = `${chainId === undefined ? '' : 'and chain_id = $3'} ${isLive ? live : ''}`
    const rows = await read(
      `select ${mandates.columns} from mandate where "user" = $1 ${conditions} order by seq desc limit $2`,
      [user, limit, ...(chainId === undefined ? [] : [chainId])],
    )
    const used: UsedMandate[] = []
    for (const it of mandates.all(rows)) used.push(await withUsed(read, it))
    return used
  },

  mandateYes: async (runId, digest) => {
    const rows = await read(yes, [runId, digest])
    const [mandate, drawn] = [mandates.one(rows), amounts.one(rows)]
    return mandate && drawn && drawn.amount <= mandate.maxPerJob && drawn.amount <= mandate.askAbove ? drawn.amount : undefined
  },
}))

const mandateOf = async (sql: Sql, id: string): Promise<Mandate | undefined> =>
  mandates.one(await sql(`select ${mandates.columns} from mandate where id = $1`, [id]))

const withUsed = async (sql: Sql, mandate: Mandate): Promise<UsedMandate> => ({
  ...mandate,
  used: await usedOf(sql, { mandate, now: await nowOf(sql), exceptRun: '' }),
})

type Using = { mandate: Mandate; now: number; exceptRun: string }

/**
 * Amount hired or reserved in the current window, in atomic USDC. Refunded and cancelled jobs do not count. A plan counts with
 * its total until it has ended. If a deep reorganisation reverts a refund, the job counts again, and nothing can be drawn until
 * the amount is below the limit.
 */
const usedOf = async (sql: Sql, { mandate, now, exceptRun }: Using): Promise<Atomic> => {
  const rows = await sql(
    `select d.amount from mandate_drawing d left join job j on j.run_id = d.run_id
     left join purchase p on p.id = d.run_id and p.agreed_at is not null
     left join plan pl on pl.run_id = d.run_id and pl.agreed_at is not null
     where d.mandate_id = $1 and d.at > $2 and d.run_id <> $3
     and (j.id is null and p.id is null and pl.run_id is null and d.at > $4
     or pl.mandate_id = d.mandate_id
     or j.mandate_id = d.mandate_id and j.state not in ('refunded', 'cancelled')
     or p.mandate_id = d.mandate_id and p.state <> 'unpaid')`,
    [mandate.id, now - periods[mandate.period], exceptRun, now - limits.reservedMs],
  )
  return amounts.all(rows).reduce((sum, it) => sum + it.amount, 0n)
}
