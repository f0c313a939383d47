import { readConsent } from '../../domain/consent/readConsent.ts'
import type { Address } from '../../domain/hex.ts'
import { cancelledPlanText, toSkippedText } from '../../domain/runTexts/plans.ts'
import { readSkips } from '../../language/tasks/planWords.ts'
import type { StoredPlan, Tables } from '../../ports.ts'
import type { Deps } from '../operation.ts'
import { withdrawJob } from './cancelJob.ts'

type Saying = { user: Address; conversationId: string; text: string }

/** Why a step is left out. */
const asked = 'You left it out.'

/**
 * Carries out a message that stops the running plan of a conversation, or leaves out steps of it that have not started, and
 * answers it. Undefined for every other message. Code reads the words by form, not a model.
 */
export const steerPlan = async (
  tables: Tables,
  deps: Pick<Deps, 'chains'>,
  { user, conversationId, text }: Saying,
): Promise<string | undefined> => {
  const skips = readSkips(text)
  const isCancel = wholePlan.test(text) || readConsent(text) === 'cancel'
  if (skips.length === 0 && !isCancel) return undefined
  const plan = await tables.runningPlan(conversationId, user)
  if (!plan) return undefined
  const told = isCancel ? await stop(tables, deps, plan) : await skip(tables, plan, skips)
  await tables.wakeRun(plan.runId)
  return told
}

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

/** Stops a plan: no step of it starts any more, and jobs that no agent has taken are taken back. */
const stop = async (tables: Tables, deps: Pick<Deps, 'chains'>, plan: StoredPlan): Promise<string> => {
  await tables.stopPlan(plan.runId)
  const last = plan.steps.flatMap(it => it.tries.at(-1)?.job?.id ?? [])
  let taken = 0
  for (const id of last) {
    const job = await tables.job(id)
    if (job && (await withdrawJob(tables, deps, job))) taken += 1
  }
  return cancelledPlanText(taken)
}
