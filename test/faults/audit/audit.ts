import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { hashText } from '../../../src/chain/signing/calls.ts'
import { until } from '../until.ts'
import { type ChainPlace, viewChain } from './chainView.ts'
import { checkFeedback, checkRated } from './feedback.ts'
import type { Ledgers } from './ledgers.ts'
import { checkMandates, checkTold, type ToldMandate } from './mandates.ts'
import { checkEnds, checkMoney } from './money.ts'
import { checkNonces } from './nonces.ts'
import { checkEvents, checkPaths } from './paths.ts'
import { type Claim, checkPayments } from './payments.ts'
import { checkTrades } from './trades.ts'

export type AuditOptions = ChainPlace & {
  ledgers: Ledgers
  /** Kinds of events that a run's log contains at most once. After a reorganisation they may be repeated. */
  toldOnce: readonly string[]
  /** Number of newest blocks that are read transaction by transaction. */
  depth: bigint
  /** The mandates as their users read them at that moment. */
  told: ToldMandate[]
  /** What payers outside were told about their paid calls. */
  claims: readonly Claim[]
}

/** Violations, each beginning with the number of the broken invariant. Amounts in atomic USDC. */
export type Audit = { violations: string[]; usdcLost: bigint; usdcCreated: bigint }

export const always = ['confirmed', 'job.open'] as const
export const withoutReorgs = [...always, 'proposed', 'evaluated', 'payment.settled', 'job.escrowed', 'job.settled'] as const

const everything = 10n ** 9n

/** Compares the database of an idle service with its chain. */
export const audit = async (
  given: Omit<AuditOptions, 'toldOnce' | 'depth' | 'told' | 'claims'> & Partial<AuditOptions>,
): Promise<Audit> => {
  const { ledgers, toldOnce = withoutReorgs, depth = everything, told = [], claims = [], ...place } = given
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
    ...checkPayments(ledgers, chain, claims),
    ...(await checkTrades(ledgers, chain)),
  ]
  return { ...money, violations }
}

/** Longer than a service pauses between two looks at a chain on which nothing of it is under way, in ms. */
const noticeMs = 5_000
const maxAudits = 4

/**
 * Returns only violations that two consecutive audits agree on: during one, something may still change, or the chain may not
 * answer. Between the two, the service has time to notice a reorganisation that began when it was idle.
 */
export const auditAtRest = async (ledgers: Ledgers, look: () => Promise<Audit>): Promise<Audit> => {
  const once = async () => {
    await until('quiet', async () => ledgers.isQuiet() || undefined).catch(() => undefined)
    return until('an audit', look, { pauseMs: 500 })
  }
  let found = await once()
  for (let audits = 1; found.violations.length > 0 && audits < maxAudits; audits++) {
    await pause(noticeMs)
    const before = found.violations
    found = await once()
    if (isDeepStrictEqual(found.violations, before)) return found
  }
  return found
}
