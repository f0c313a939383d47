import type { RunInput, Tables } from '../../ports.ts'

type Answer = { runId: string; interruptId: string; input: RunInput }

/** The run was answered before, or is no longer waiting. That answer is kept. */
export class AnsweredBefore extends Error {
  readonly runId: string
  constructor(runId: string) {
    super(`run ${runId} was answered before`)
    this.runId = runId
  }
}

/**
 * Records the user's answer to an interrupt and its event in the run's log, once. Both are sent at once, so an answer that was not
 * the first undoes the transaction.
 * @throws AnsweredBefore
 */
export const answerInterrupt = async (tables: Tables, { runId, interruptId, input }: Answer): Promise<void> => {
  const isNo = input.kind === 'decision' && input.decision === 'no'
  const [first] = await Promise.all([
    tables.addRunInput(runId, interruptId, input),
    tables.addRunEvent(
      runId,
      {
        kind: isNo ? 'declined' : 'message',
        summary: input.text,
        data: { role: 'user', ...(input.kind === 'decision' && { decision: input.decision, digest: input.digest }) },
        key: `said:${interruptId}`,
      },
      true,
    ),
  ])
  if (!first) throw new AnsweredBefore(runId)
}
