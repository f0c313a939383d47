import { z } from 'zod'
import { formatUsdc, parseUsdc } from '../../../../src/domain/money/money.ts'
import { type Plan, type PlanStep, toPlanDigest } from '../../../../src/domain/plans/plan.ts'
import { toDigest } from '../../../../src/domain/runs/proposal.ts'
import type { StoredPlan, Tables } from '../../../../src/ports.ts'
import { usdcDecimals } from '../chain/port.ts'
import type { Hands, Mutation, Parts } from '../mutation.ts'
import { withTables } from './withTables.ts'

type Opening = Parameters<Tables['openStep']>[0]
/** Reasons of the write that opens a step which are overheard. */
type Overheard = (why: string) => boolean

const openRow = `update plan_step set terms_digest = $2, amount = $3, opened_at = {NOW} where run_id = $1`

/** Opens steps that the write refuses. */
const openingAnyway = ({ store, chain }: Parts, { db }: Hands, isOverheard: Overheard): Parts => ({
  chain,
  store: {
    ...store,
    async openStep(of: Opening) {
      const why = await store.openStep(of)
      if (why === undefined || !isOverheard(why)) return why
      await db.tx(sql => sql(openRow, [of.runId, of.digest, String(of.amount)]))
      return undefined
    },
    atomically: work =>
      store.atomically(tables =>
        work({
          ...tables,
          async openStep(of) {
            const why = await tables.openStep(of)
            return why !== undefined && isOverheard(why) ? undefined : why
          },
        }),
      ),
  },
})

const always: Overheard = () => true

/** Reads plans with other rows than they have. */
const readingPlans = ({ store, chain }: Parts, read: (plan: StoredPlan) => StoredPlan): Parts => ({
  chain,
  store: {
    ...store,
    async plan(runId) {
      const plan = await store.plan(runId)
      return plan && read(plan)
    },
  },
})

type Job = NonNullable<StoredPlan['steps'][number]['tries'][number]['job']>
/** Reads the jobs of a plan as they are not. */
const withJobs =
  (change: (job: Job) => Job) =>
  (plan: StoredPlan): StoredPlan => ({
    ...plan,
    steps: plan.steps.map(step => ({ ...step, tries: step.tries.map(it => ({ ...it, job: it.job && change(it.job) })) })),
  })

const goingBack: readonly string[] = ['rejected', 'expired']
const refused: readonly string[] = [...goingBack, 'refunded']

const allDeliverables = `select s.number, j.deliverable from plan_step s join job j on j.run_id = s.run_id
  where s.plan_id = $1 and j.deliverable is not null order by s.attempt`
const delivered = z.object({ number: z.number(), deliverable: z.string() })

/** Names an agent as the standby of itself, for more than the first time. */
const withDearStandby = (step: PlanStep): PlanStep => {
  const { terms, agentName, checklist, values, references, isPlain } = step
  const total = String(Number(terms.total) + 1)
  const standby = { agentName, checklist, values, references, isPlain, terms: { ...terms, price: total, total } }
  return { ...step, standby }
}

/** Proposes another plan than the one that was written. */
const proposing =
  (change: (plan: Plan) => Plan): NonNullable<Mutation['butler']> =>
  (deps, { store }) => ({
    ...deps,
    async writePlan(runId, of) {
      const changed = change(await deps.writePlan(runId, of))
      const plan = { ...changed, digest: toPlanDigest(changed) }
      await store.putPlan({ runId, plan, decimals: usdcDecimals })
      return plan
    },
  })

/** Bugs in what a plan opens. */
const opening: Mutation[] = [
  {
    name: 'a plan shows less than its steps cost',
    without: 'the total in the write that opens a step',
    plans: true,
    focus: [],
    parts: (parts, hands) => openingAnyway(parts, hands, why => why.includes('total')),
    butler: proposing(plan => ({ ...plan, total: plan.steps[0]?.terms.total ?? plan.total })),
  },
  {
    name: 'a step is hired at what it costs now',
    without: 'the terms in the write that opens a step',
    plans: true,
    focus: [60],
    parts: (parts, hands) => openingAnyway(parts, hands, always),
    butler: (deps, { store }) => ({
      ...deps,
      async openJob(runId, proposal) {
        const listing = await store.listing(proposal.agentId, proposal.offeringId)
        const isStep = (await store.stepOf(runId)) !== undefined
        if (!listing || !isStep) return deps.openJob(runId, proposal)
        const now = { ...proposal, offeringVersion: listing.version, price: listing.price, total: listing.price }
        return deps.openJob(runId, { ...now, digest: toDigest(now) })
      },
    }),
  },
  {
    name: 'a standby is hired beside the first',
    without: 'the refund in front of a standby',
    plans: true,
    focus: [],
    parts: (parts, hands) =>
      readingPlans(
        openingAnyway(parts, hands, always),
        withJobs(job => (goingBack.includes(job.state) ? { ...job, state: 'refunded' } : job)),
      ),
  },
  {
    name: 'a step that failed is hired again',
    without: 'the one attempt at a step without a standby',
    plans: true,
    focus: [],
    parts: (parts, hands) =>
      readingPlans(openingAnyway(parts, hands, always), plan => ({
        ...plan,
        plan: { ...plan.plan, steps: plan.plan.steps.map(({ standby: _, ...it }) => ({ ...it, standby: it })) },
      })),
  },
  {
    name: 'a standby costs more than its step',
    without: 'the price in front of a standby',
    plans: true,
    focus: [],
    butler: proposing(plan => ({ ...plan, steps: plan.steps.map(withDearStandby) })),
  },
]

/** Bugs in the results that flow on. */
const flowing: Mutation[] = [
  {
    name: 'a step gets the result of another one',
    without: 'the accepted results in the write that opens a step',
    plans: true,
    focus: [],
    parts: (parts, hands) => {
      const { store, chain } = openingAnyway(parts, hands, always)
      const acceptedDeliverables: Tables['acceptedDeliverables'] = async planId => {
        const found = [...(await store.acceptedDeliverables(planId))]
        return new Map(found.map(([number], at) => [number, found.at(at - 1)?.[1] ?? '']))
      }
      return { chain, store: { ...store, acceptedDeliverables } }
    },
  },
  {
    name: 'a step gets a result that was refused',
    without: 'the acceptance of a result that flows on',
    plans: true,
    focus: [],
    parts: (parts, hands) => {
      const { store, chain } = readingPlans(
        openingAnyway(parts, hands, always),
        withJobs(job => (refused.includes(job.state) ? { ...job, state: 'settled' } : job)),
      )
      const acceptedDeliverables: Tables['acceptedDeliverables'] = async planId => {
        const found = await hands.db.tx(sql => sql(allDeliverables, [planId]))
        return new Map(found.map(it => delivered.parse(it)).map(it => [it.number, it.deliverable]))
      }
      return { chain, store: { ...store, acceptedDeliverables } }
    },
  },
]

/** Bugs in what a user is told of a plan. */
const telling: Mutation[] = [
  {
    name: 'a plan that is stopped goes on',
    without: 'the stop in the rows',
    plans: true,
    focus: [],
    parts: ({ store, chain }) => ({ chain, store: withTables(store, () => ({ stopPlan: async () => {} })) }),
  },
  {
    name: 'a refund is billed as paid',
    without: 'the end of each escrow in the bill',
    plans: true,
    focus: [],
    butler: deps => ({
      ...deps,
      async describePlan(runId) {
        const bill = await deps.describePlan(runId)
        const [paid = 0n, refunded = 0n] = [bill.paid, bill.refunded].map(it => parseUsdc(it, usdcDecimals))
        return { ...bill, paid: formatUsdc(paid + refunded, usdcDecimals), refunded: '0' }
      },
    }),
  },
  {
    name: 'a plan keeps what it did not spend',
    without: 'the return to the mandate at the end of a plan',
    plans: true,
    focus: [],
    parts: ({ store, chain }, { db }) => ({
      chain,
      store: {
        ...store,
        async endPlan(runId) {
          await db.tx(sql => sql(`update plan set state = 'ended' where run_id = $1 and state = 'running'`, [runId]))
          return true
        },
      },
    }),
  },
]

export const planning: Mutation[] = [...opening, ...flowing, ...telling]
