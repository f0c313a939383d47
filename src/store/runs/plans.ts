import { z } from 'zod'
import { parseUsdc } from '../../domain/money/money.ts'
import { whyNotOpen } from '../../domain/plans/mayOpen.ts'
import { hireOf, toPlanDigest } from '../../domain/plans/plan.ts'
import { billOf } from '../../domain/plans/progress.ts'
import { deliveredIn } from '../../domain/x402/paidAnswer.ts'
import { amount } from '../../ports/rows/columns.ts'
import type { Deliverables, PlanTables, StepRef, StoredPlan } from '../../ports.ts'
import type { Scope, Sql } from '../engine/db.ts'
import { nowOf } from '../engine/now.ts'
import { hasRow, insertion, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'
import { lockDrawingIn } from '../money/mandates.ts'
import { hasFlowing, planOf, plans, readPlan } from './planRows.ts'
import { inputs } from './runInputs.ts'

const refs = rowOf({ planId: z.string(), number: z.number(), attempt: z.number() })
const amounts = rowOf({ amount })

export const planTable = (scope: Scope): PlanTables => ({ ...reading(scope), ...agreeing(scope), ...stepping(scope) })

const ofRun = `select ${refs.columns} from plan_step where run_id = $1`
const running = `select ${plans.columnsOf('p')} from plan p join run r on r.id = p.run_id where p.state = 'running'`
const ofConversation = `${running} and r.conversation_id = $1 and r."user" = $2 order by r.seq desc limit 1`
const ofUser = `${running} and r."user" = $1 and p.chain_id = $2`

const reading = tableGroup(({ read }) => ({
  plan: runId => planOf(read, runId),
  stepOf: async runId => refs.one(await read(ofRun, [runId])),
  runningPlan: async (conversationId, user) => readPlan(read, await read(ofConversation, [conversationId, user])),
  runningPlans: async (user, chainId) => {
    const found = await Promise.all((await read(ofUser, [user, chainId])).map(it => readPlan(read, [it])))
    return found.flatMap(it => it ?? [])
  },
  acceptedDeliverables: planId => deliverablesOf(read, planId),

  planYes: async (runId, digest) => {
    const step = refs.one(await read(ofRun, [runId]))
    const plan = step && (await planOf(read, step.planId))
    if (!plan || plan.agreedAt === undefined || toPlanDigest(plan.plan) !== plan.plan.digest) return undefined
    if (isPaidByMandate(plan, step)) return undefined
    const [found] = amounts.all(await read(openedAs, [runId, digest]))
    const price = priceOf(plan, step)
    return found && price !== undefined && found.amount <= price && (await isAgreed(read, plan)) ? found.amount : undefined
  },
}))

const openedAs = `select amount from plan_step where run_id = $1 and terms_digest = $2 and amount is not null`

/** Whether the user said yes to a plan, or it was agreed under a mandate whose drawing names it. */
const isAgreed = async (sql: Sql, { runId, plan, mandateId }: StoredPlan): Promise<boolean> => {
  const said = inputs.all(await sql('select input from run_input where run_id = $1', [runId]))
  if (said.some(({ input }) => input.kind === 'decision' && input.decision === 'yes' && input.digest === plan.digest)) return true
  const drawn = 'select 1 as one from mandate_drawing where run_id = $1 and mandate_id = $2 and terms_digest = $3'
  return mandateId !== undefined && hasRow(sql(drawn, [runId, mandateId, plan.digest]))
}

/** Whether a mandate pays for an address here. Such a step needs the user's own yes. */
const isPaidByMandate = ({ plan, mandateId }: StoredPlan, { number }: Pick<StepRef, 'number'>): boolean =>
  mandateId !== undefined && plan.steps.some(it => it.number === number && it.purchase)

/** The price of a step or of its standby, which is at most that of the step. */
const priceOf = ({ plan, decimals }: StoredPlan, { number, attempt }: Pick<StepRef, 'number' | 'attempt'>) => {
  const step = plan.steps.find(it => it.number === number)
  const hire = step && hireOf(step, attempt)
  const [own, most] = [hire, step].map(it => it && parseUsdc(it.terms.total, decimals))
  return own !== undefined && most !== undefined && own <= most ? own : undefined
}

const accepted = `select s.number, j.deliverable, 0 as bought from plan_step s join job j on j.run_id = s.run_id
  where s.plan_id = $1 and j.state in ('settling', 'settled') and j.deliverable is not null
  union all select s.number, p.content as deliverable, 1 as bought from plan_step s join purchase p on p.id = s.run_id
  where s.plan_id = $1 and ${hasFlowing}`
const deliverables = rowOf({ number: z.number(), deliverable: z.string(), bought: z.number() })

const deliverablesOf = async (sql: Sql, planId: string): Promise<Deliverables> => {
  const rows = deliverables.all(await sql(accepted, [planId]))
  return new Map(rows.map(it => [it.number, it.bought === 1 ? deliveredIn(it.deliverable) : it.deliverable]))
}

const lock = (sql: Sql, runId: string) => sql('select run_id from plan where run_id = $1 {LOCK}', [runId])
const putAgain = `on conflict (run_id) do update set terms = excluded.terms, digest = excluded.digest, total = excluded.total,
  state = 'proposed' where plan.agreed_at is null`
const start = `update plan set state = 'running', agreed_at = {NOW}, mandate_id = $2
  where run_id = $1 and state = 'proposed' returning run_id`

/** Declines the plan of a run that waits for its yes. */
export const decline = `update plan set state = 'declined' where run_id = $1 and state = 'proposed'`

const agreeing = tableGroup(({ write }) => ({
  putPlan: ({ runId, plan, decimals }) =>
    write(async ({ sql }) => {
      const total = parseUsdc(plan.total, decimals)
      if (total === undefined) throw new RangeError(`a plan with a total of ${plan.total}`)
      const terms = JSON.stringify(plan)
      // A process that was held up may write the plan of a run that another one has ended.
      const [run] = await sql('select state from run where id = $1 {LOCK}', [runId])
      if (run?.state === 'completed') return
      const row = { runId, chainId: plan.chainId, terms, digest: plan.digest, total: total.toString(), decimals }
      const [insert, params] = insertion('plan', row, ['createdAt'])
      await sql(`${insert} ${putAgain}`, params)
    }),

  agreePlan: ({ runId, digest, mandateId }) =>
    write(async ({ sql, notify }) => {
      await lock(sql, runId)
      const plan = await planOf(sql, runId)
      if (plan?.plan.digest !== digest) return false
      if (plan.state === 'running') return true
      const isInTime = (await nowOf(sql)) <= plan.plan.lapsesAt || mandateId !== undefined
      const isYes = plan.state === 'proposed' && (await isAgreed(sql, { ...plan, mandateId }))
      if (!isYes || !isInTime || (await sql(start, [runId, mandateId])).length === 0) return false
      notify(`run:${runId}`)
      return true
    }),

  declinePlan: runId => write(async ({ sql }) => void (await sql(decline, [runId]))),

  stopPlan: runId =>
    write(async ({ sql, notify }) => {
      await sql(`update plan set stopped_at = {NOW} where run_id = $1 and state = 'running' and stopped_at is null`, [runId])
      notify(`run:${runId}`)
    }),

  endPlan: runId =>
    write(async ({ sql, notify }) => {
      await lock(sql, runId)
      const plan = await planOf(sql, runId)
      if (plan?.state !== 'running') return false
      await sql(`update plan set state = 'ended' where run_id = $1`, [runId])
      // What was not spent goes back to the mandate. A usage price counts with the most that it could cost.
      const { paid, reserved, unused } = billOf(plan)
      if (plan.mandateId !== undefined) await sql(release, [runId, plan.mandateId, (paid + reserved + unused).toString()])
      notify(`run:${runId}`)
      return true
    }),
}))

const release = 'update mandate_drawing set amount = $3 where run_id = $1 and mandate_id = $2'

const lockState = async (sql: Sql, planId: string): Promise<{ isRunning: boolean; isStopped: boolean }> => {
  const [row] = await sql('select state, stopped_at from plan where run_id = $1 {LOCK}', [planId])
  return { isRunning: row?.state === 'running', isStopped: row?.stopped_at != null }
}
const openOnce = `update plan_step set terms_digest = $2, amount = $3, opened_at = {NOW}
  where run_id = $1 returning run_id`

const stepping = tableGroup(scope => ({
  startStep: ({ planId, number, attempt, runId }) =>
    scope.write(async ({ sql }) => {
      const { isRunning, isStopped } = await lockState(sql, planId)
      if (!isRunning || isStopped) return false
      const [known] = await sql('select skipped from plan_step where plan_id = $1 and number = $2 and skipped is not null', [
        planId,
        number,
      ])
      if (known) return false
      const [insert, params] = insertion('plan_step', { planId, number, attempt, runId }, ['at'])
      return hasRow(sql(`${insert} on conflict (plan_id, number, attempt) do nothing returning run_id`, params))
    }),

  skipStep: ({ planId, number, reason }) =>
    scope.write(async ({ sql }) => {
      if (!(await lockState(sql, planId)).isRunning) return false
      const [insert, params] = insertion('plan_step', { planId, number, attempt: 0, skipped: reason }, ['at'])
      return hasRow(sql(`${insert} on conflict (plan_id, number, attempt) do nothing returning number`, params))
    }),

  openStep: ({ runId, digest, amount: asked }) =>
    scope.write(async ({ sql }) => {
      const step = refs.one(await sql(ofRun, [runId]))
      if (!step) return 'The run is no step of a plan.'
      await lock(sql, step.planId)
      const plan = await planOf(sql, step.planId)
      const why = plan ? await whyNot(sql, { plan, step, runId, digest, amount: asked }) : 'The plan does not exist.'
      if (why !== undefined) return why
      const done = await sql(openOnce, [runId, digest, asked.toString()])
      return done.length > 0 ? undefined : 'The step was opened before.'
    }),
}))

type Asked = { plan: StoredPlan; step: StepRef; runId: string; digest: string; amount: bigint }

const whyNot = async (sql: Sql, { plan, step, runId, digest, amount: asked }: Asked): Promise<string | undefined> => {
  const price = priceOf(plan, step)
  if (price === undefined) return 'The step is not in the plan.'
  if (isPaidByMandate(plan, step)) return 'A payment for an address needs your own yes.'
  if (plan.mandateId !== undefined && !(await isMandateLive(sql, plan))) return 'The mandate of the plan has ended.'
  const isOpened = await hasRow(sql('select 1 as one from job where run_id = $1', [runId]))
  return whyNotOpen({
    rows: plan,
    consents: (await isAgreed(sql, plan)) ? [plan.plan.digest] : [],
    ...{ number: step.number, attempt: step.attempt, digest, amount: asked, price, total: plan.total },
    isOpened,
    deliverables: await deliverablesOf(sql, plan.runId),
    now: await nowOf(sql),
  })
}

/** Locks the mandate of a plan against a revocation until the transaction ends. */
const isMandateLive = (sql: Sql, { runId, mandateId = '', plan }: StoredPlan): Promise<boolean> =>
  lockDrawingIn(sql, { runId, mandateId, digest: plan.digest })
