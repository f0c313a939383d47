import { z } from 'zod'
import { limits } from '../../../src/domain/limits.ts'
import { categoriesOf, period, periods } from '../../../src/domain/money/mandate.ts'
import { terms, toDigest } from '../../../src/domain/runs/proposal.ts'
import type { Books } from '../sim/books.ts'
import { unless } from '../sim/invariants/unless.ts'

const amount = z.string().transform(it => BigInt(it))
const maybe = <T extends z.ZodType>(it: T) => it.nullable().transform(value => value ?? undefined)
const drawing = z.object({
  run_id: z.string(),
  mandate_id: z.string(),
  terms_digest: z.string(),
  amount,
  at: z.number(),
  max_per_job: amount,
  max_per_period: amount,
  ask_above: amount,
  period,
  categories: z.string(),
  expires_at: z.number(),
  is_own: z.number(),
  job_id: maybe(z.string()),
  job_mandate: maybe(z.string()),
  state: maybe(z.string()),
  /** Id of the x402 purchase that used the mandate. */
  purchase_state: maybe(z.string()),
  /** State of the plan that drew on the mandate, once it has its yes. */
  plan_state: maybe(z.string()),
  budget: maybe(amount),
  terms: maybe(z.string()),
  created_at: maybe(z.number()),
  card: maybe(z.string()),
  is_fetched: z.number(),
})
type Drawing = z.output<typeof drawing>

// Refunds that a reorganisation deeper than the confirmations reverted, according to the run's log.
const drawings = `select d.run_id, d.mandate_id, d.terms_digest, d.amount, d.at, m.max_per_job, m.max_per_period, m.ask_above,
  m.period, m.categories, m.expires_at, r."user" = m."user" and r.chain_id = m.chain_id as is_own, j.id as job_id,
  p.state as purchase_state, pl.state as plan_state, j.mandate_id as job_mandate, j.state, j.budget, j.terms, j.created_at, a.card, exists (select 1 from run_event e
    where e.run_id = d.run_id and e.kind like 'job.%' and (json_extract(e.data, '$.event') = 'unrefund'
    or json_extract(e.data, '$.from') = 'cancelled')) as is_fetched
  from mandate_drawing d join mandate m on m.id = d.mandate_id join run r on r.id = d.run_id
  left join job j on j.run_id = d.run_id left join agent a on a.id = j.agent_id
  left join purchase p on p.id = d.run_id and p.mandate_id = d.mandate_id
  left join plan pl on pl.run_id = d.run_id and pl.mandate_id = d.mandate_id and pl.agreed_at is not null`

const undrawn = `select id, mandate_id from job where mandate_id is not null
  and not exists (select 1 from mandate_drawing d where d.run_id = job.run_id and d.mandate_id = job.mandate_id)`

/** I6: each drawing on a mandate is within all limits, belongs to one run of its user, and equals the price of the job. */
export const checkMandates = ({ all }: Pick<Books, 'all'>): string[] => {
  const drawn = all(drawings).map(it => drawing.parse(it))
  const used = Map.groupBy(drawn.filter(isHired), it => it.mandate_id)
  return [
    ...drawn.flatMap(checkDrawing),
    ...[...used.values()].flatMap(checkPeriods),
    ...all(undrawn).map(it => `I6 job ${it.id} was opened under ${it.mandate_id} and drew nothing on it`),
  ]
}

/**
 * An amount reserved for a job that does not exist yet counts for a while. A job with the user's direct consent never counts. A
 * purchase counts unless its authorization expired unused. A plan counts with its total, and at its end with what it spent.
 */
const isHired = ({ job_id, job_mandate, mandate_id, state, purchase_state, plan_state }: Drawing) =>
  job_id === undefined
    ? plan_state !== undefined || (purchase_state !== undefined && purchase_state !== 'unpaid')
    : job_mandate === mandate_id && state !== 'refunded' && state !== 'cancelled'

const checkDrawing = (it: Drawing): string[] => {
  const { run_id, mandate_id, amount } = it
  const what = `I6 run ${run_id} drew ${amount} on ${mandate_id}`
  return [
    ...unless(it.is_own === 1, `${what}, which is not its user's`),
    ...unless(amount >= 0n && amount <= it.max_per_job, `${what}, which allows ${it.max_per_job} a job`),
    ...unless(amount <= it.ask_above, `${what}, which asks above ${it.ask_above}`),
    ...(it.job_mandate === mandate_id ? checkJob(it, what) : []),
  ]
}

const checkJob = (it: Drawing, what: string): string[] => {
  const said = z.array(z.string()).parse(JSON.parse(it.categories))
  const named = categoriesOf(JSON.parse(it.card ?? '{}'))
  return [
    ...unless(it.budget === it.amount, `${what} for a job that costs ${it.budget}`),
    ...unless(toDigest(terms.parse(JSON.parse(it.terms ?? ''))) === it.terms_digest, `${what} for other terms than its job has`),
    ...unless((it.created_at ?? 0) < it.expires_at, `${what}, which had ended when job ${it.job_id} was opened`),
    ...unless(said.length === 0 || said.some(name => named.includes(name)), `${what}, which is for ${said.join()} only`),
  ]
}

/**
 * No window that ends with a drawing exceeds the limit per period. One exception: a refund may be reverted by a reorganisation
 * after its amount was drawn again by another hire.
 */
const checkPeriods = (of: Drawing[]): string[] =>
  of.flatMap(({ mandate_id, at, period, max_per_period }) => {
    const within = of.filter(it => it.is_fetched === 0 && it.at <= at && it.at > at - periods[period])
    const sum = within.reduce((total, it) => total + it.amount, 0n)
    return unless(sum <= max_per_period, `I6 ${sum} are drawn on ${mandate_id}, which allows ${max_per_period} a ${period}`)
  })

/** What a user reads of a mandate: its id, and the amount used in the window that ends now, in atomic units. */
export type ToldMandate = { id: string; used: bigint; now: number }

const counts = (it: Drawing, now: number) =>
  it.job_id === undefined && it.purchase_state === undefined && it.plan_state === undefined
    ? it.at > now - limits.reservedMs
    : isHired(it) && it.at > now - periods[it.period]

/** I6: the reported use of a mandate is the sum of its drawings, without refunded ones. */
export const checkTold = ({ all }: Pick<Books, 'all'>, told: ToldMandate[]): string[] => {
  const drawn = all(drawings).map(it => drawing.parse(it))
  return told.flatMap(({ id, used, now }) => {
    const counting = drawn.filter(it => it.mandate_id === id && counts(it, now))
    const sum = counting.reduce((total, it) => total + it.amount, 0n)
    return unless(sum === used, `I6 ${sum} of ${id} are used, its user is told ${used}`)
  })
}
