import type { NewMandate } from '../../src/domain/money/mandate.ts'
import type { Drawing } from '../../src/ports.ts'
import { chainId, user } from './rows.ts'

type Limits = { maxPerPeriod: number; maxPerJob: number; askAbove: number }

/** A mandate of the test's user. Amounts are whole units of a token without decimals. */
export const newMandate = ({ id = 'm', limits, ...over }: Partial<NewMandate> & { limits: Limits }): NewMandate => ({
  id,
  user,
  chainId,
  decimals: 0,
  maxPerJob: BigInt(limits.maxPerJob),
  maxPerPeriod: BigInt(limits.maxPerPeriod),
  askAbove: BigInt(limits.askAbove),
  period: 'day',
  payees: [],
  categories: [],
  expiresAt: Number.MAX_SAFE_INTEGER,
  ...over,
})

/** A run's request to hire under a mandate. */
export const toTake = ({ mandateId = 'm', runId = 'run-1', amount = 1, categories = [] as string[] }): Drawing => ({
  mandateId,
  runId,
  digest: 'terms',
  amount: BigInt(amount),
  categories,
})
