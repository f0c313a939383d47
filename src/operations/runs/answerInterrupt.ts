import type { RunInput, Tables } from '../../ports.ts'

type Answer = { runId: string; interruptId: string; input: RunInput }

/** The run was answered before, or no longer waits. That answer is kept. */
export class AnsweredBefore extends Error {
  readonly runId: string
  constructor(runId: string) {
    super(`run ${runId} was answered before`)
    this.runId = runId
  }
}

/**
 * Records the user's answer to an interrupt, and its event in the run's log. Both are sent at once, so an answer that was not the
 * first undoes the transaction. `taken` is known before, where the caller waits for it.
 * @throws AnsweredBefore
 */
export const answerInterrupt = async (tables: Tables, answer: Answer, taken = takeAnswer(tables, answer)): Promise<void> => {
  const { runId, interruptId, input } = answer
  const isNo = input.kind === 'decision' && input.decision === 'no'
  const event = {
    kind: isNo ? ('declined' as const) : ('message' as const),
    summary: input.text,
    data: { role: 'user', ...(input.kind === 'decision' && { decision: input.decision, digest: input.digest }) },
    key: `said:${interruptId}`,
  }
  const [isFirst] = await Promise.all([taken, tables.addRunEvent(runId, event, true)])
  if (!isFirst) throw new AnsweredBefore(runId)
}

/** Records the user's answer to an interrupt; false when it was answered before. */
export const takeAnswer = async (tables: Tables, { runId, interruptId, input }: Answer): Promise<boolean> =>
  (await tables.addRunInput(runId, interruptId, input)) !== undefined
