import type { Reputation } from '../../domain/agents/reputation.ts'

/** Describes an agent's past jobs in one sentence. */
export const storyOf = ({ judged, accepted, payers }: Reputation): string => {
  if (judged === 0) return 'New here: no job of it has ended yet.'
  const customers = payers === 1 ? 'one customer' : `${payers} different customers`
  if (accepted === judged) return `Every job was accepted; ${customers}.`
  return accepted / judged >= 0.9
    ? `Nearly every job was accepted; ${customers}.`
    : `${accepted} of ${judged} jobs were accepted; ${customers}.`
}
