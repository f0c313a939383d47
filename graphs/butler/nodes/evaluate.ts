import { errorsOf, ruleOn } from '../../../src/domain/acceptance.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

/** Judges the deliverable by the checklist that was fixed at the hire. Code decides what may be paid; a model only doubts. */
export const evaluate =
  ({ judge, tellVerdict }: ButlerDeps) =>
  async ({ jobId }: ButlerState): Promise<Update> => {
    const found = jobId ? await judge(jobId) : undefined
    if (!jobId || !found) return { verdict: { pass: false, errors: ['The job is gone.'] } }
    await tellVerdict(jobId, found)
    const { pass, criteria, attempt } = found
    return { verdict: { pass, errors: errorsOf(criteria), doubted: ruleOn(criteria) === 'doubt' }, judged: attempt }
  }
