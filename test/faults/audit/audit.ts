import { hashText } from '../../../src/chain/signing/calls.ts'
import { until } from '../until.ts'
import { type ChainPlace, viewChain } from './chainView.ts'
import { checkFeedback, checkRated } from './feedback.ts'
import type { Ledgers } from './ledgers.ts'
import { checkMandates, checkTold, type ToldMandate } from './mandates.ts'
import { checkEnds, checkMoney } from './money.ts'
import { checkNonces } from './nonces.ts'
import { checkEvents, checkPaths } from './paths.ts'

export type AuditOptions = ChainPlace & {
  ledgers: Ledgers
  /** What a run tells at most once; a reorganisation lets it tell again what the chain has said again. */
  toldOnce: readonly string[]
  /** Blocks from the newest down that are read transaction by transaction. */
  depth: bigint
  /** What users read of their mandates at that moment. */
  told: ToldMandate[]
}

/** Violations, each beginning with the number of the invariant that it breaks. Amounts in the token's smallest unit. */
export type Audit = { violations: string[]; usdcLost: bigint; usdcCreated: bigint }

export const always = ['confirmed', 'job.open'] as const
export const withoutReorgs = [...always, 'proposed', 'evaluated', 'payment.settled', 'job.escrowed', 'job.settled'] as const

const everything = 10n ** 9n

/** Compares what the database of a service at rest says with what its chain says. */
export const audit = async (given: Omit<AuditOptions, 'toldOnce' | 'depth' | 'told'> & Partial<AuditOptions>): Promise<Audit> => {
  const { ledgers, toldOnce = withoutReorgs, depth = everything, told = [], ...place } = given
  const chain = await viewChain(place, depth)
  const money = checkMoney(ledgers, chain)
  const violations = [
    ...money.violations,
    ...checkEnds(ledgers, chain),
    ...checkPaths(ledgers),
    ...checkEvents(ledgers, toldOnce),
    ...checkMandates(ledgers),
    ...checkTold(ledgers, told),
    ...checkFeedback(ledgers, chain.feedback, hashText),
    ...checkRated(ledgers, chain.feedback),
    ...(await checkNonces(ledgers, chain)),
  ]
  return { ...money, violations }
}

/** What two audits in a row agree on: between two looks something may still have moved, or a chain have been away. */
export const auditAtRest = async (ledgers: Ledgers, look: () => Promise<Audit>): Promise<Audit> => {
  const once = async () => {
    await until('quiet', async () => ledgers.isQuiet() || undefined).catch(() => undefined)
    return until('an audit', look, { pauseMs: 500 })
  }
  const first = await once()
  return first.violations.length === 0 ? first : once()
}
