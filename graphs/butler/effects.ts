import type { ButlerDeps } from './deps.ts'

/** Calls that do or say something. A replay that lacks one has decided otherwise; one that lacks a read has not. */
export const effects: readonly (keyof ButlerDeps)[] = [
  'tell',
  'respond',
  'startNext',
  'agreeByOrder',
  'agreeByWords',
  'openJob',
  'quotePurchase',
  'agreePurchase',
  'declinePurchase',
  'writePlan',
  'agreePlan',
  'declinePlan',
  'advancePlan',
  'judge',
  'tellVerdict',
  'acceptDeliverable',
  'reviseDeliverable',
  'rejectDeliverable',
]
