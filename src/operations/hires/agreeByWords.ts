import type { RunInput } from '../../ports.ts'
import type { Deps } from '../operation.ts'

type Words = { interruptId: string; digest: string }

/**
 * Records the yes that a user's own words to an open proposal were read as. Only words that were said to exactly these terms,
 * in time, by somebody who may agree, become one; false for all others. Of one message there is one yes.
 */
export const agreeByWords = async (
  { store }: Pick<Deps, 'store'>,
  runId: string,
  { interruptId, digest }: Words,
): Promise<boolean> => {
  const said = await store.runInput(runId, interruptId)
  if (said?.kind !== 'said' || said.digest !== digest || said.isLapsed || !said.mayAgree) return false
  const yes: RunInput = { kind: 'decision', decision: 'yes', digest, text: said.text }
  const key = `${interruptId}:yes`
  const kept = (await store.addRunInput(runId, key, yes)) ?? (await store.runInput(runId, key))
  return kept?.kind === 'decision' && kept.digest === digest
}
