import { errorsOf, ruleOn } from '../../../src/domain/jobs/acceptance.ts'
import { jobMissing } from '../../../src/domain/runTexts/butler.ts'
import type { ButlerDeps } from '../deps.ts'
import { metered } from '../metered.ts'
import type { ButlerState, Update } from '../state.ts'

/** Judges the deliverable by the checklist fixed at the hire. Code decides on the payment; a model can only raise a doubt. */
export const evaluate =
  ({ judge, tell, tellVerdict }: ButlerDeps) =>
  async ({ runId, jobId, judged: before }: ButlerState): Promise<Update> => {
    const found = jobId && (await metered({ tell }, { runId, key: `judge:${before}` }, asking => judge(jobId, asking)))
    if (!jobId || !found) return { verdict: { pass: false, errors: [jobMissing] } }
    await tellVerdict(jobId, found)
    const { pass, criteria, attempt } = found
    return { verdict: { pass, errors: errorsOf(criteria), doubted: ruleOn(criteria) === 'doubt' }, judged: attempt }
  }
