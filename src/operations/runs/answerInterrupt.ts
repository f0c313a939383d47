import type { RunInput, Tables } from '../../ports.ts'

type Answer = {
  runId: string
  interruptId: string
  input: RunInput
  /** What else is written when the answer is the first, at the same time as its event. */
  also?: () => Promise<unknown>
}

/** Records the user's answer to an interrupt and its event in the run's log, once; false when it was answered before. */
export const answerInterrupt = async (tables: Tables, { runId, interruptId, input, also }: Answer): Promise<boolean> => {
  const first = await tables.addRunInput(runId, interruptId, input)
  if (!first) return false
  const isNo = input.kind === 'decision' && input.decision === 'no'
  const told = tables.addRunEvent(
    runId,
    {
      kind: isNo ? 'declined' : 'message',
      summary: input.text,
      data: { role: 'user', ...(input.kind === 'decision' && { decision: input.decision, digest: input.digest }) },
      key: `said:${interruptId}`,
    },
    true,
  )
  await Promise.all([told, also?.()])
  return true
}
