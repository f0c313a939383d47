import type { RunInput } from '../../ports.ts'
import type { Deps } from '../operation.ts'

type Words = { interruptId: string; digest: string }

/**
 * Records a consent from a message that was classified as a yes, once per message. The message must have been sent for exactly
 * these terms, in time, by a user who may consent. Otherwise nothing is recorded and the result is false.
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
  const kept = (await store.keepRunInput(runId, key, yes)) ?? (await store.runInput(runId, key))
  return kept?.kind === 'decision' && kept.digest === digest
}
