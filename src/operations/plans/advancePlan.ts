import { hireOf, type Plan, type PlanStep } from '../../domain/plans/plan.ts'
import { decidePlan, stateOf, stepNow } from '../../domain/plans/progress.ts'
import { toPlanProgressText, toStepText } from '../../domain/runTexts/plans.ts'
import type { Run, StoredPlan, Tables } from '../../ports.ts'
import type { Deps } from '../operation.ts'

type Reach = Pick<Deps, 'store' | 'clock'>
/** How far a plan is. `seen`: the states of its steps, which change with every step that begins or ends. */
export type PlanProgress = { isOver: boolean; seen: string; words: string }

/**
 * Does what the rows of a running plan call for: starts steps whose inputs exist, leaves out those that cannot be done, and ends
 * the plan when all are over. It may run again at any time, and by several processes: each step starts once.
 * @throws RangeError when the run has no plan
 */
export const advancePlan = async (deps: Reach, runId: string): Promise<PlanProgress> => {
  for (;;) {
    const stored = await readPlan(deps, runId)
    const { start, skip, isOver } = decidePlan(stored, deps.clock.now())
    if (start.length === 0 && skip.length === 0) {
      await tellStates(deps, stored)
      if (isOver) await deps.store.endPlan(runId)
      return { isOver, seen: toSeen(stored), words: toProgress(stored) }
    }
    let isChanged = false
    for (const it of skip) isChanged = (await deps.store.skipStep({ planId: runId, ...it })) || isChanged
    for (const it of start) isChanged = (await startStep(deps, stored, it)) || isChanged
    // Another process does the same at this moment, and its rows are read at the next wake-up.
    if (!isChanged) return { isOver: false, seen: '', words: toProgress(stored) }
  }
}

/** The plan of a run, if it has its yes. */
export const agreedPlan = async ({ store }: Pick<Deps, 'store'>, runId: string): Promise<Plan | undefined> => {
  const stored = await store.plan(runId)
  return stored?.agreedAt === undefined ? undefined : stored.plan
}

/** The states of a plan's steps as they are now, to compare with those that were seen. */
export const seePlan = async (deps: Reach, runId: string): Promise<string> => toSeen(await readPlan(deps, runId))

const readPlan = async ({ store }: Reach, runId: string): Promise<StoredPlan> => {
  const stored = await store.plan(runId)
  if (!stored) throw new RangeError(`run ${runId} has no plan`)
  return stored
}

const toSeen = (stored: StoredPlan): string =>
  stored.plan.steps
    .map(step => {
      const { rows, last, state } = stepNow(step, stored)
      return `${state}${rows.tries.length}${last?.job?.state ?? ''}${last?.hasEnded ? ' ended' : ''}`
    })
    .join(' ')

const toProgress = (stored: StoredPlan): string =>
  toPlanProgressText(
    stored.plan.steps.map(step => {
      const { offeringName, agentHandle } = step.terms
      return { number: step.number, state: stateOf(step, stored), offeringName, agentHandle }
    }),
  )

type Starting = { number: number; attempt: number }

const startStep = async (deps: Reach, stored: StoredPlan, { number, attempt }: Starting): Promise<boolean> => {
  const step = stored.plan.steps.find(it => it.number === number)
  const parent = await deps.store.run(stored.runId)
  if (!step || !parent) return false
  const id = step.purchase?.id ?? `${parent.id}_${number}${attempt === 0 ? '' : '_standby'}`
  return deps.store.atomically(async tables => {
    if (!(await tables.startStep({ planId: parent.id, number, attempt, runId: id }))) return false
    await addStepRun(tables, parent, { id, step })
    const { offeringName, agentHandle } = (hireOf(step, attempt) ?? step).terms
    const state = attempt === 0 ? 'started' : 'the standby started'
    await tables.addRunEvent(parent.id, {
      kind: 'plan.step',
      summary: toStepText({ number, state, offeringName, agentHandle }),
      data: { number, state: 'working', run_id: id, is_standby: attempt > 0 },
      key: `step:${number}:${attempt}:started`,
    })
    return true
  })
}

const addStepRun = async (tables: Tables, parent: Run, { id, step }: { id: string; step: PlanStep }) => {
  const { conversationId, user, chainId } = parent
  await tables.addRun({ id, conversationId, user, chainId, task: step.task, parent: parent.id, step: step.number })
  const data = { role: 'user', plan: parent.id, step: step.number }
  await tables.addRunEvent(id, { kind: 'message', summary: step.task, data, key: 'message' })
}

/** Adds an event for each state that a step reached. */
const tellStates = async ({ store }: Reach, stored: StoredPlan): Promise<void> => {
  for (const step of stored.plan.steps) {
    const { rows, last, state, hire } = stepNow(step, stored)
    if (state === 'waiting' || state === 'working') continue
    const { offeringName, agentHandle } = hire.terms
    const reason = rows.skipped ?? last?.job?.reason ?? ''
    await store.addRunEvent(stored.runId, {
      kind: 'plan.step',
      summary: toStepText({ number: step.number, state, offeringName, agentHandle }, reason),
      data: {
        number: step.number,
        state,
        ...(last && { run_id: last.runId }),
        ...(last?.job && !last.job.bought && { job_id: last.job.id }),
      },
      key: `step:${step.number}:${last?.attempt ?? 0}:${state}`,
    })
  }
}
