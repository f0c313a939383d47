import { dayMs, minuteMs } from '../durations.ts'

const kib = 1024

/** Limits of paid calls, purchases, mandates and withdrawals. */
export const moneyLimits = {
  /** Paid calls (x402) in progress, per payer and in total. Each occupies an open request. Shares: `paidCallShares.ts`. */
  paidCallsOfPayer: 300,
  paidCalls: 2_000,
  /** Paid calls of one payer in 24 hours whose work was done and whose payment then failed. The agents worked for nothing. */
  unpaidCallsADay: 5,
  /** Time limit of one request to a resource that a user buys. A seller may work before it answers. */
  resourceMs: minuteMs,
  /** Maximum size of a paid answer that is kept, and of the parts in which it is stored. Two parts of an answer are in memory. */
  resourceBytes: 8 * 1024 * kib,
  resourcePartBytes: 256 * kib,
  /** Kept long answers of one user and of all users. Before the next payment there must be space for its answer. */
  resourceBytesOfUser: 256 * 1024 * kib,
  resourceBytesOfAll: 8 * 1024 * 1024 * kib,
  /** How long a paid answer above 256 KiB can be read. Its beginning is kept as long as the purchase. */
  resourceKeepMs: 7 * dayMs,
  /** Time after which another process may check a purchase. Its request takes at most `resourceMs`. */
  purchaseLeaseMs: 2 * minuteMs,
  /** Running purchases of one user, and purchases within 24 hours. Each stores an answer of up to 256 KiB. */
  purchasesUnderWay: 20,
  purchasesADay: 200,
  /** Concurrent price requests to resources of one user, and the maximum of waiting ones of all users. */
  quotesAtOnce: 4,
  quotesWaiting: 50,
  /** Active mandates of one user on one chain, and categories of one mandate. */
  mandates: 20,
  mandateCategories: 20,
  /** Withdrawals per 24 hours of one custodial wallet, because the treasury pays the gas. */
  withdrawalsADay: 20,
  /** Withdrawal addresses of one user, with those removed in the last 30 days. */
  withdrawalAddresses: 20,
  /** How long an amount is reserved for a hire under a mandate. It is released if the job was not opened by then. */
  reservedMs: 5 * minuteMs,
} as const
