import { readConsent } from '../../domain/consent/readConsent.ts'
import type { Address } from '../../domain/hex.ts'
import type { PlanStep } from '../../domain/plans/plan.ts'
import { cancelledPlanText, toFixedText, toSkippedText } from '../../domain/runTexts/plans.ts'
import { type Named, readSkipsOfRunning, readStepChange } from '../../language/tasks/planWords.ts'
import { resolveReferences } from '../../language/text/references.ts'
import type { StoredPlan, Tables } from '../../ports.ts'
import type { Deps } from '../operation.ts'
import { withdrawJob } from './closeJob.ts'
import { readInput } from './recall.ts'

type Saying = { user: Address; conversationId: string; text: string }

const toNamed = ({ values, task, terms }: PlanStep): Named => ({
  values: Object.values(values).map(String).join(' '),
  words: `${terms.offeringName} ${task}`,
})

/** Why a step is left out. */
const asked = 'You left it out.'

/**
 * Carries out a message that stops the running plan of a conversation, or leaves out steps of it that have not started, and
 * answers it. One that changes a value is answered only: what has its yes stays as it is. Undefined for every other message.
 * Code reads the words by form, not a model.
 */
export const steerPlan = async (
  tables: Tables,
  deps: Pick<Deps, 'chains'>,
  { user, conversationId, text }: Saying,
): Promise<string | undefined> => {
  const plan = await tables.runningPlan(conversationId, user)
  if (!plan) return undefined
  const isCancel = (text.length <= mostChars && wholePlan.test(text)) || readConsent(text) === 'cancel'
  const skips = isCancel ? [] : readSkipsOfRunning(text, plan.plan.steps.map(toNamed))
  if (skips.length === 0 && !isCancel) return readChange(plan, text)
  const told = isCancel ? cancelledPlanText(await stopPlan(tables, deps, plan)) : await skip(tables, plan, skips)
  await tables.wakeRun(plan.runId)
  return told
}

const readChange = ({ plan: { steps } }: StoredPlan, text: string): string | undefined => {
  const { number = 0, words = '' } = readStepChange(text, steps.map(toNamed)) ?? {}
  const step = steps.find(it => it.number === number)
  const [field = ''] = words.includes(':') ? words.split(':') : []
  const isKnown = step && [step.values, step.references].some(it => Object.hasOwn(it, field.trim().toLowerCase()))
  const isReplaced = words === text
  return isKnown || isReplaced ? toFixedText(number) : undefined
}

/** A longer message does not cancel a plan. */
const mostChars = 200
const wholePlan =
  /^\s*(?:please\s+)?(?:cancel|stop|abort)\s+(?:the\s+(?:whole\s+)?plan|everything|all(?: of it)?|the rest)(?:\s+please)?\s*[.!]*\s*$/i

const skip = async (tables: Tables, { runId, plan }: StoredPlan, numbers: number[]): Promise<string> => {
  const told: string[] = []
  for (const number of numbers) {
    const isKnown = plan.steps.some(it => it.number === number)
    const isLeft = isKnown && (await tables.skipStep({ planId: runId, number, reason: asked }))
    told.push(toSkippedText(number, isLeft ? 'left out' : isKnown ? 'started' : 'unknown'))
  }
  return told.join(' ')
}

/**
 * Stops a plan: no step of it starts any more, and jobs that no agent has taken are taken back.
 * @returns the number of jobs that were taken back
 */
export const stopPlan = async (tables: Tables, deps: Pick<Deps, 'chains'>, plan: StoredPlan): Promise<number> => {
  await tables.stopPlan(plan.runId)
  // Read after the stop, because a step may have opened in the meantime.
  const { steps } = (await tables.plan(plan.runId)) ?? plan
  const last = steps.flatMap(it => it.tries.at(-1)?.job?.id ?? [])
  let taken = 0
  for (const id of last) {
    const job = await tables.job(id)
    if (job && (await withdrawJob(tables, deps, job))) taken += 1
  }
  return taken
}

/**
 * Starts a run for the first of the further tasks of a message; the others follow it. It does nothing if this run already did
 * so.
 */
export const startNext = async ({ store }: Pick<Deps, 'store'>, runId: string, tasks: string[]): Promise<void> => {
  const [text, ...later] = tasks
  const run = await store.run(runId)
  if (!run || text === undefined) return
  const job = await store.jobOfRun(runId)
  const task = resolveReferences(text, readInput(job?.terms.input ?? ''))
  const id = `${runId}_next`
  await store.atomically(async tables => {
    if (await tables.run(id)) return
    const { conversationId, user, chainId } = run
    await tables.addRun({ id, conversationId, user, chainId, task, follows: runId })
    await tables.addRunEvent(id, { kind: 'message', summary: task, data: { role: 'user', follows: runId }, key: 'message' })
    const waiting = later.map(it => ({ text: it, state: 'waiting' as const }))
    if (waiting.length > 0) await tables.setNextTasks(id, waiting)
    await tables.setNextTasks(runId, [{ text, run_id: id, state: 'proposed' }, ...waiting])
  })
}
