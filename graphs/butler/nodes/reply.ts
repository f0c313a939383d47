import { sayIn } from '../../../src/domain/phrases/sayIn.ts'
import { toNextText } from '../../../src/domain/runTexts/butler.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

/** Sends the last answer of a run and starts the next waiting task. */
export const reply =
  ({ startNext, tell }: ButlerDeps) =>
  async ({ runId, content, act, next, jobId, language }: ButlerState): Promise<Update> => {
    const [first] = jobId === undefined ? [] : next
    const { text } = sayIn(first === undefined ? content : toNextText(content, first), language)
    await tell(runId, { kind: 'answer', summary: text, data: { ...(act && { act }) }, key: 'answer' })
    if (first !== undefined) await startNext(runId, next)
    return { content: text }
  }
