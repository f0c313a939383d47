import { readConsent } from '../../domain/consent/readConsent.ts'
import { toOffer } from '../../domain/x402/purchaseProposal.ts'
import type { ClaimedRun, RunInput } from '../../ports.ts'
import type { Deps } from '../operation.ts'

type Words = { interruptId: string; digest: string }

/**
 * Records a consent from a message, once per message. The message must be a yes by its form, sent for exactly these terms, in
 * time, by a user who may consent. Otherwise nothing is recorded and the result is false.
 */
export const agreeByWords = async (
  { store }: Pick<Deps, 'store'>,
  { runId, run: known }: { runId: string; run?: ClaimedRun | undefined },
  { interruptId, digest }: Words,
): Promise<boolean> => {
  const [said, run] = await Promise.all([
    known?.inputs?.get(interruptId) ?? store.runInput(runId, interruptId),
    known ?? store.run(runId),
  ])
  if (said?.kind !== 'said' || said.digest !== digest || said.isLapsed || !said.mayAgree) return false
  const terms = run?.proposal
  if (terms?.digest !== digest || readConsent(said.text, toOffer(terms)) !== 'yes') return false
  const yes: RunInput = { kind: 'decision', decision: 'yes', digest, text: said.text }
  const key = `${interruptId}:yes`
  const kept = (await store.keepRunInput(runId, key, yes)) ?? (await store.runInput(runId, key))
  return kept?.kind === 'decision' && kept.digest === digest
}
