import { describe, expect, test } from 'vitest'
import type { JobEvent, JobState } from '../../../src/domain/jobs/job.ts'
import { toFilledTerms } from '../../../src/domain/plans/fillStep.ts'
import { hireOf, type Plan } from '../../../src/domain/plans/plan.ts'
import { billOf } from '../../../src/domain/plans/progress.ts'
import { toDigest } from '../../../src/domain/runs/proposal.ts'
import { purchasesOf } from '../../../src/features/x402Buying/ports.ts'
import { advancePlan } from '../../../src/operations/plans/advancePlan.ts'
import type { Tables } from '../../../src/ports.ts'
import { hire, planOf, step } from '../../plans/planRows.ts'
import { newMandate } from '../mandateRows.ts'
import { addWallet, consent, newPurchase, reply } from '../purchaseRows.ts'
import { account, addRun, agentId, newJob } from '../rows.ts'
import { describeStores, type OpenStore } from '../stores.ts'

const later = Date.now() + 3_600_000
const two = (): Plan => ({ ...planOf([step(1), step(2, { needs: [1] })]), lapsesAt: later })

const propose = async (store: Tables, plan: Plan) => {
  await addRun(store)
  await store.putPlan({ runId: 'run-1', plan, decimals: 6 })
}
const sayYes = (store: Tables, digest: string) =>
  store.keepRunInput('run-1', 'yes', { kind: 'decision', decision: 'yes', digest, text: 'yes' })
const agree = (store: Tables, digest: string) => store.agreePlan({ runId: 'run-1', digest, mandateId: undefined })

const startStep = async (store: Tables, number: number) => {
  const runId = `run-1_${number}`
  const isStarted = await store.startStep({ planId: 'run-1', number, attempt: 0, runId })
  if (isStarted) await addRun(store, runId)
  return isStarted
}
const open = (store: Tables, plan: Plan, number: number, given = new Map<number, string>()) => {
  const own = plan.steps.find(it => it.number === number)
  const terms = own && toFilledTerms(own, given)
  return store.openStep({ runId: `run-1_${number}`, digest: terms ? toDigest(terms) : 'none', amount: 1_000_000n })
}

/** A chain of three, three that stand alone, one that fails and has a standby, and one that needs it. */
const eight = (): Plan => {
  const needs: Record<number, number[]> = { 2: [1], 3: [2], 8: [7] }
  const steps = [1, 2, 3, 4, 5, 6, 7, 8].map(it =>
    step(it, { needs: needs[it] ?? [], ...(it === 7 && { standby: hire('other', '1') }) }),
  )
  return { ...planOf(steps), lapsesAt: later }
}
const price = 1_000_000n

/** What one process does: it starts steps, and opens those that were started by any process. */
const advance = async (store: OpenStore, plan: Plan): Promise<void> => {
  await advancePlan({ store, clock: { now: () => Date.now() } }, 'run-1')
  const { steps = [] } = (await store.plan('run-1')) ?? {}
  for (const { number, tries } of steps)
    for (const { attempt, runId } of tries) {
      const own = plan.steps.find(it => it.number === number)
      const taken = own && hireOf(own, attempt)
      const terms = taken && toFilledTerms(taken, await store.acceptedDeliverables('run-1'))
      const digest = terms ? toDigest(terms) : 'none'
      await store.atomically(async tables => {
        if ((await tables.openStep({ runId, digest, amount: price })) === undefined)
          await tables.addJob({ ...newJob(runId), id: `job-${runId}-${Math.random()}`, budget: price })
      })
    }
}

type Moves = Partial<Record<JobState, JobEvent>>
const begun: Moves = { open: 'fund', escrowed: 'queue' }
const paid: Moves = { ...begun, leased: 'submit', submitted: 'accept', settling: 'confirm' }
const failed: Moves = { ...begun, leased: 'fail', rejected: 'refund' }

/** The next move of each open job of a plan. Step 7 fails, its standby delivers. */
const serve = async (store: OpenStore): Promise<void> => {
  while (await store.leaseJob(agentId));
  const { steps = [] } = (await store.plan('run-1')) ?? {}
  for (const { number, tries } of steps)
    for (const { attempt, job } of tries) {
      const event = job && (number === 7 && attempt === 0 ? failed : paid)[job.state]
      if (!event) continue
      const told = { fund: { chainJobId: BigInt(10 * number + attempt) }, submit: { deliverable: '{"out":"x"}' } }[String(event)]
      await store.moveJob(job.id, event, told ?? {})
    }
}

/** A plan whose first step pays for an address. */
const paying = (): Plan => {
  const of = { id: 'run-1_1', kind: 'purchase' as const, chainId: 97, url: 'https://seller.example/weather', digest: 'd1' }
  const terms = { method: 'GET' as const, total: '1', payee: '0x1', asset: '0x2', payer: '0x3', description: '', mandate: null }
  return { ...planOf([{ ...step(1), purchase: { ...of, ...terms, lapsesAt: later } }, step(2)]), lapsesAt: later }
}

/** Agrees to such a plan, and opens its payment. */
const openPaid = async (store: OpenStore, requirement: { scheme: 'exact' | 'upto' }) => {
  const plan = paying()
  await propose(store, plan)
  await sayYes(store, plan.digest)
  await agree(store, plan.digest)
  await startStep(store, 1)
  await addWallet(store)
  const by = { ...requirement, extra: { facilitatorAddress: account(4) } }
  await purchasesOf(store).addPurchase(newPurchase('run-1_1', { amount: price, requirement: by, digest: 'd1', isByButler: true }))
  expect(await store.openStep({ runId: 'run-1_1', digest: 'd1', amount: price })).toBeUndefined()
  await purchasesOf(store).agreePurchase('run-1_1', { ...consent(1), digest: 'd1' })
}

describeStores('plans', fresh => {
  test('two processes that run a plan of eight steps open each step once, its standby after the refund, and stay in the total', async () => {
    const [one, other] = await (await fresh()).openRivals()
    const plan = eight()
    await propose(one, plan)
    await sayYes(one, plan.digest)
    await agree(one, plan.digest)
    for (let round = 0; round < 60 && (await one.plan('run-1'))?.state === 'running'; round += 1) {
      await Promise.all([advance(one, plan), advance(other, plan), advance(other, plan), serve(one)])
      const { paid: spent, reserved } = billOf((await other.plan('run-1')) ?? { steps: [] })
      expect(spent + reserved).toBeLessThanOrEqual(8n * price)
    }
    const stored = await one.plan('run-1')
    expect(stored?.state).toBe('ended')
    expect(stored && billOf(stored)).toEqual({ paid: 8n * price, refunded: price, reserved: 0n, unused: 0n })
    expect(await one.jobs({ limit: 50, offset: 0 })).toHaveLength(9)
    expect(stored?.steps.map(it => it.tries.map(one => one.job?.state))).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map(it => (it === 7 ? ['refunded', 'settled'] : ['settled'])),
    )
  })

  test('a plan runs only after a yes to its digest, and a repeated start changes nothing', async () => {
    const store = await (await fresh()).open()
    const plan = two()
    await propose(store, plan)
    expect(await agree(store, plan.digest)).toBe(false)
    await sayYes(store, plan.digest)
    expect(await agree(store, 'f'.repeat(32))).toBe(false)
    expect([await agree(store, plan.digest), await agree(store, plan.digest)]).toEqual([true, true])
    await store.putPlan({ runId: 'run-1', plan: { ...plan, total: '1' }, decimals: 6 })
    expect(await store.plan('run-1')).toMatchObject({ state: 'running', total: 2_000_000n, plan: { total: '2' } })
  })

  test('a plan that lapsed or was declined does not run', async () => {
    const store = await (await fresh()).open()
    const plan = { ...two(), lapsesAt: 1 }
    await propose(store, plan)
    await sayYes(store, plan.digest)
    expect(await agree(store, plan.digest)).toBe(false)
    await store.putPlan({ runId: 'run-1', plan: { ...plan, lapsesAt: later }, decimals: 6 })
    await store.declinePlan('run-1')
    expect(await agree(store, plan.digest)).toBe(false)
  })

  test('a run that has ended leaves no plan that waits for a yes, and a process that was held up writes none', async () => {
    const store = await (await fresh()).open()
    const plan = two()
    await propose(store, plan)
    const [held] = await store.claimRuns(60_000, 1)
    const ended = { state: 'completed', answer: 'No agent does this.', interruptId: undefined, questions: undefined } as const
    await store.releaseRun('run-1', held?.lease ?? '', { ...ended, proposal: undefined, jobId: undefined })
    expect(await store.plan('run-1')).toMatchObject({ state: 'declined' })
    await store.putPlan({ runId: 'run-1', plan, decimals: 6 })
    expect(await store.plan('run-1')).toMatchObject({ state: 'declined' })
  })

  test('two processes start and open each step once, and a step without an accepted result not at all', async () => {
    const [one, other] = await (await fresh()).openRivals()
    const plan = two()
    await propose(one, plan)
    await sayYes(one, plan.digest)
    await agree(one, plan.digest)
    const starts = await Promise.all([startStep(one, 1), startStep(other, 1)])
    expect(starts.filter(it => it)).toHaveLength(1)
    expect(await Promise.all([open(one, plan, 1), open(other, plan, 1)])).toEqual([undefined, undefined])
    // Each process gives its job an id of its own. The run decides.
    const add = (store: typeof one, id: string) => store.addJob({ ...newJob('run-1_1'), id, budget: 1_000_000n })
    const added = await Promise.all([add(one, 'job-a'), add(other, 'job-b')])
    expect(added.filter(it => it)).toHaveLength(1)
    expect(await open(other, plan, 1)).toContain('opened before')
    await startStep(other, 2)
    expect(await open(other, plan, 2, new Map([[1, '{"out":"made up"}']]))).toContain('not accepted')
    const [first] = plan.steps
    if (!first) throw new Error('no step')
    expect(await one.planYes('run-1_1', toDigest(first.terms))).toBe(1_000_000n)
    expect(await one.planYes('run-1_1', 'f'.repeat(32))).toBeUndefined()
    expect(await one.planYes('run-1_2', toDigest(first.terms))).toBeUndefined()
  })

  test('a step is left out or started, whichever comes first, and a stopped plan starts nothing', async () => {
    const [one, other] = await (await fresh()).openRivals()
    const plan = two()
    await propose(one, plan)
    await sayYes(one, plan.digest)
    await agree(one, plan.digest)
    const skip = other.skipStep({ planId: 'run-1', number: 2, reason: 'You left it out.' })
    const [isStarted, isSkipped] = await Promise.all([startStep(one, 2), skip])
    expect([isStarted, isSkipped].filter(it => it)).toHaveLength(1)
    await one.stopPlan('run-1')
    expect(await startStep(other, 1)).toBe(false)
    expect(await one.plan('run-1')).toMatchObject({ isStopped: true })
    expect([await one.endPlan('run-1'), await other.endPlan('run-1')]).toEqual([true, false])
  })

  describe.each([
    ['a text of its seller that begins as a file', { content: 'data: {"weather":"sunny"}' }, 'flows'],
    ['a text with a mark at its start that says UTF-8', { content: 'sunny', bytes: 8 }, 'flows'],
    ['a file', { content: 'data:image/png;base64,iVBO', bytes: 3 }, 'is lost'],
    ['the beginning of a long answer whose parts are gone', { content: 'sunny', bytes: 300_000 }, 'is lost'],
    ['the kind of a file that is too long to be shown', { content: 'The answer is a file.', bytes: 200_000 }, 'is lost'],
    ['an answer that broke off', { content: 'sunny', ending: 'early' as const }, 'is lost'],
  ])('of a payment by x402, %s', (_, over, fate) => {
    test.each([
      ['exact', 'paid', undefined, price],
      ['upto', 'paid', 400_000n, 400_000n],
      ['upto', 'unpaid', undefined, 0n],
    ] as const)(`${fate} (%s, %s)`, async (scheme, state, taken, paidOf) => {
      const store = await (await fresh()).open()
      await openPaid(store, { scheme })
      await purchasesOf(store).answerPurchase('run-1_1', reply(over.content, over))
      await purchasesOf(store).endPurchase('run-1_1', { state, hash: undefined, reason: '', taken })
      const isFlowing = fate === 'flows'
      expect(await store.acceptedDeliverables('run-1')).toEqual(new Map(isFlowing ? [[1, over.content]] : []))
      const rows = await store.plan('run-1')
      expect(rows?.steps[0]?.tries[0]?.job).toMatchObject({ state: 'settled', bought: { isServed: true, isLost: !isFlowing } })
      expect(rows && billOf(rows)).toEqual({ paid: paidOf, refunded: 0n, reserved: 0n, unused: 0n })
    })
  })

  test('a seller with a fixed price that answered and was not paid has not done its step', async () => {
    const store = await (await fresh()).open()
    await openPaid(store, { scheme: 'exact' })
    await purchasesOf(store).answerPurchase('run-1_1', reply('sunny'))
    await purchasesOf(store).endPurchase('run-1_1', { state: 'unpaid', hash: undefined, reason: '', taken: undefined })
    expect(await store.acceptedDeliverables('run-1')).toEqual(new Map())
    expect((await store.plan('run-1'))?.steps[0]?.tries[0]?.job).toMatchObject({ state: 'cancelled' })
  })

  test('a payment for an address opens and is signed under the own yes of its user, and never under a mandate', async () => {
    const store = await (await fresh()).open()
    await openPaid(store, { scheme: 'exact' })
    expect(await store.planYes('run-1_1', 'd1')).toBe(price)
    const other = await (await fresh()).open()
    const plan = paying()
    await propose(other, plan)
    await sayYes(other, plan.digest)
    await other.addMandate(newMandate({ limits: { maxPerPeriod: 2e6, maxPerJob: 2e6, askAbove: 2e6 } }))
    const drawing = { mandateId: 'm', runId: 'run-1', digest: plan.digest, amount: 2n * price, categories: [] }
    expect(await other.drawOnMandate(drawing)).toMatchObject({ isCovered: true })
    expect(await other.agreePlan({ runId: 'run-1', digest: plan.digest, mandateId: 'm' })).toBe(true)
    await startStep(other, 1)
    expect(await other.openStep({ runId: 'run-1_1', digest: 'd1', amount: price })).toContain('needs your own yes')
    expect(await other.planYes('run-1_1', 'd1')).toBeUndefined()
  })

  test('only an accepted deliverable flows on, and a step is found by its run', async () => {
    const store = await (await fresh()).open()
    const plan = two()
    await propose(store, plan)
    await sayYes(store, plan.digest)
    await agree(store, plan.digest)
    await startStep(store, 1)
    const job = await store.addJob({ ...newJob('run-1_1'), budget: 1_000_000n })
    const id = job?.id ?? ''
    await store.moveJob(id, 'fund', { chainJobId: 1n })
    await store.moveJob(id, 'queue')
    await store.leaseJob(job?.agentId ?? '')
    await store.moveJob(id, 'submit', { deliverable: '{"out":"x"}' })
    expect(await store.acceptedDeliverables('run-1')).toEqual(new Map())
    await store.moveJob(id, 'accept')
    expect(await store.acceptedDeliverables('run-1')).toEqual(new Map([[1, '{"out":"x"}']]))
    expect(await store.stepOf('run-1_1')).toEqual({ planId: 'run-1', number: 1, attempt: 0 })
    await startStep(store, 2)
    expect(await open(store, plan, 2, new Map([[1, '{"out":"x"}']]))).toBeUndefined()
    const found = await store.run('run-1')
    expect(await store.runningPlan(found?.conversationId ?? '', found?.user ?? '0x')).toMatchObject({ runId: 'run-1' })
  })
})
