import { z } from 'zod'
import type { Json } from '../../../../src/domain/json.ts'
import { parseUsdc } from '../../../../src/domain/money/money.ts'
import { type PlanStep, plan as planTerms, type StepHire, toPlanDigest } from '../../../../src/domain/plans/plan.ts'
import type { Reference } from '../../../../src/domain/plans/planStates.ts'
import { terms } from '../../../../src/domain/runs/proposal.ts'
import type { Books } from '../books.ts'
import { usdcDecimals } from '../chain/port.ts'
import type { World } from '../world.ts'
import { unless } from './unless.ts'

const text = (it: unknown) => (it === null ? undefined : it)
const maybeText = z.preprocess(text, z.string().optional())
const amount = z.string().transform(it => BigInt(it))

const storedPlan = z.object({
  run_id: z.string(),
  user: z.string(),
  conversation_id: z.string(),
  run_state: z.string(),
  terms: z.string().transform(it => planTerms.parse(JSON.parse(it))),
  digest: z.string(),
  total: amount,
  state: z.string(),
  mandate_id: maybeText,
  agreed_at: z.preprocess(text, z.number().optional()),
})

/** A step, or its standby, that was started or left out. `was_accepted`: its deliverable passed the checks at some time. */
const attempt = z.object({
  plan_id: z.string(),
  number: z.number(),
  attempt: z.number(),
  skipped: maybeText,
  job: maybeText,
  job_state: maybeText,
  budget: z.preprocess(text, amount.optional()),
  job_terms: maybeText,
  deliverable: maybeText,
  created_at: z.preprocess(text, z.number().optional()),
  /** The chain took back a refund, or funded the job after it counted as cancelled. */
  is_fetched: z.number(),
  was_accepted: z.number(),
})
export type Attempt = z.output<typeof attempt>
export type PlanRow = z.output<typeof storedPlan> & { attempts: Attempt[] }

const plans = `select p.run_id, r."user", r.conversation_id, r.state as run_state, p.terms, p.digest, p.total, p.state, p.mandate_id,
  p.agreed_at from plan p join run r on r.id = p.run_id where p.terms is not null`
const attempts = `select s.plan_id, s.number, s.attempt, s.skipped, j.id as job, j.state as job_state, j.budget, j.terms as job_terms,
  j.deliverable, j.created_at, exists (select 1 from run_event e where e.run_id = s.run_id and e.kind like 'job.%' and
    (json_extract(e.data, '$.event') = 'unrefund' or json_extract(e.data, '$.from') = 'cancelled')) as is_fetched,
  exists (select 1 from run_event e where e.run_id = s.run_id and e.kind in ('job.settling', 'job.settled')) as was_accepted
  from plan_step s left join job j on j.run_id = s.run_id order by s.plan_id, s.number, s.attempt`

/** All plans of a database, each with what was started and left out. */
export const readPlans = ({ all }: Pick<Books, 'all'>): PlanRow[] => {
  const of = Map.groupBy(
    all(attempts).map(it => attempt.parse(it)),
    it => it.plan_id,
  )
  return all(plans).map(it => {
    const row = storedPlan.parse(it)
    return { ...row, attempts: of.get(row.run_id) ?? [] }
  })
}

/**
 * I16, at every moment: a plan opens what its yes names, each step once, with the accepted results of the steps before it, and never
 * for more than its total.
 */
export const checkPlans = ({ books, log }: World): string[] =>
  readPlans(books).flatMap(plan => [
    ...checkTerms(plan),
    ...checkTotal(plan),
    ...plan.attempts.flatMap(it => (it.job === undefined ? [] : checkAttempt(plan, it))),
    ...plan.terms.steps.flatMap(step => checkOnce(plan, step)),
    ...log.leftOut
      .filter(it => it.planId === plan.run_id && plan.attempts.some(one => one.number === it.number && one.job))
      .map(it => `I16 plan ${it.planId} opened step ${it.number}, which its user was told is left out`),
    ...plan.attempts
      .filter(it => it.job && log.stopped.get(plan.run_id)?.has(it.job) === false)
      .map(it => `I16 plan ${plan.run_id} opened step ${it.number} after its user was told that it is stopped`),
  ])

const checkTerms = ({ run_id, terms: agreed, digest, total, attempts: started }: PlanRow): string[] => [
  ...unless(toPlanDigest(agreed) === digest && agreed.digest === digest, `I6 plan ${run_id} has other terms than its digest`),
  ...unless(toAtomic(agreed.total) === total, `I16 plan ${run_id} says ${agreed.total}, its row ${total}`),
  ...unless(
    agreed.steps.every(it => !it.standby || toAtomic(it.standby.terms.total) <= toAtomic(it.terms.total)),
    `I16 plan ${run_id} has a standby that costs more than its step`,
  ),
  ...started.flatMap(it => unless(!it.skipped || !it.job, `I16 plan ${run_id} left out step ${it.number} and opened it`)),
]

const toAtomic = (usdc: string): bigint => parseUsdc(usdc, usdcDecimals) ?? -1n
const sum = (amounts: bigint[]): bigint => amounts.reduce((all, it) => all + it, 0n)

const backStates = ['refunded', 'cancelled']
const isHeld = ({ job_state }: Attempt) => job_state !== undefined && !backStates.includes(job_state)

/** What came back from the escrow, and went there again only because the chain took the refund back, is on its way back. */
const checkTotal = ({ run_id, total, attempts: started }: PlanRow): string[] => {
  const held = sum(started.filter(it => isHeld(it) && (it.is_fetched === 0 || it.job_state === 'settled')).map(budgetOf))
  return unless(held <= total, `I16 plan ${run_id} of ${total} has ${held} paid or in escrow`)
}
const budgetOf = ({ budget = 0n }: Attempt) => budget

const checkAttempt = (plan: PlanRow, of: Attempt): string[] => {
  const { number, attempt: at, job_terms = '', created_at = 0, budget } = of
  const step = plan.terms.steps.find(it => it.number === number)
  const hire: StepHire | undefined = at === 0 ? step : at === 1 ? step?.standby : undefined
  const what = `I16 plan ${plan.run_id} opened step ${number}${at > 0 ? ' by a standby' : ''}`
  if (!hire) return [`${what}, which it does not name`]
  const hired = terms.parse(JSON.parse(job_terms))
  const endsAt = (plan.agreed_at ?? 0) + plan.terms.withinMinutes * 60_000
  return [
    ...unless(plan.agreed_at !== undefined, `${what} without a yes`),
    ...unless(created_at <= endsAt, `${what} after its latest end`),
    ...unless(budget === toAtomic(hire.terms.total), `${what} for ${budget} instead of ${hire.terms.total}`),
    ...unless(
      JSON.stringify({ ...hired, input: '' }) === JSON.stringify({ ...terms.parse(hire.terms), input: '' }),
      `${what} on other terms`,
    ),
    ...unless(
      isFilled(plan, hire, hired.input),
      `${what} with another input than the accepted results give: ${hired.input.slice(0, 60)}`,
    ),
  ]
}

/** A step is opened once, and its standby only when the money of the step is back and nothing of it was accepted. */
const checkOnce = ({ run_id, attempts: started }: PlanRow, { number }: PlanStep): string[] => {
  const [first, ...others] = started.filter(it => it.number === number && it.job !== undefined)
  const paid = started.filter(it => it.number === number && it.job_state === 'settled').length
  const isOpen = first && isHeld(first) && first.is_fetched === 0
  return [
    ...unless(paid <= 1, `I16 plan ${run_id} paid step ${number} ${paid} times`),
    ...unless(others.length <= 1, `I16 plan ${run_id} opened step ${number} ${others.length + 1} times`),
    ...unless(!isOpen || others.length === 0, `I16 plan ${run_id} opened the standby of step ${number} beside the first`),
  ]
}

/** Whether an input is that of the step, with a value of an accepted deliverable in the place of each reference. */
const isFilled = (plan: PlanRow, { values, references, isPlain, terms: agreed }: StepHire, input: string): boolean => {
  const taken = Object.entries(references)
  if (taken.length === 0) return input === agreed.input
  const given: Record<string, unknown> = readGiven(input, isPlain)
  return (
    taken.every(([name, it]) => resultsOf(plan, it).some(one => JSON.stringify(one) === JSON.stringify(given[name]))) &&
    Object.entries(values).every(([name, it]) => JSON.stringify(it) === JSON.stringify(given[name]))
  )
}

const readGiven = (input: string, isPlain: boolean): Record<string, unknown> => (isPlain ? { text: input } : JSON.parse(input))

/** The values that a reference may have: one for each attempt at the earlier step that was accepted. */
const resultsOf = ({ attempts: started }: PlanRow, reference: Reference): unknown[] =>
  started.filter(it => it.number === reference.from && it.was_accepted === 1).map(it => toResult(it.deliverable ?? '', reference))

const toResult = (deliverable: string, { path, as, before }: Reference): unknown => {
  const found = path === '' ? deliverable : read(JSON.parse(deliverable), path.split('/').slice(1))
  const value = as === 'list' ? [found] : as === 'joined' ? [found].flat().join('\n') : as === 'text' ? String(found) : found
  return before === undefined ? value : `${before}\n\n${value}`
}

const read = (from: Json, names: string[]): unknown => names.reduce<unknown>((at, name) => Object(at)[name], from)
