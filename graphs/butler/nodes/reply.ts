import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

/** Sends the last answer of a run and starts the next waiting task. */
export const reply =
  ({ startNext, tell }: ButlerDeps) =>
  async ({ runId, content, act, next, jobId }: ButlerState): Promise<Update> => {
    const isNext = next.length > 0 && jobId !== undefined
    const text = isNext ? `${content}\n\nNext: “${next[0]}”. I propose it now.` : content
    await tell(runId, { kind: 'answer', summary: text, data: { ...(act && { act }) }, key: 'answer' })
    if (isNext) await startNext(runId, next)
    return { content: text }
  }
