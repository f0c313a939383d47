import type { Address } from '../domain/hex.ts'
import type { Draw, Mandate, NewMandate } from '../domain/money/mandate.ts'
import type { Atomic } from '../domain/money/money.ts'

/** A mandate with the amount used in its current period, without refunded and cancelled jobs. */
export type UsedMandate = Mandate & { used: Atomic }

/** A request to hire under a mandate: the digest of the terms, the amount, and the categories of the agents. */
export type Drawing = Pick<Draw, 'amount' | 'categories' | 'also' | 'payee'> & {
  mandateId: string
  runId: string
  digest: string
}

/** Whether the mandate covers a hire; `left` is the amount that remains after it. */
export type Drawn = { isCovered: true; left: Atomic } | { isCovered: false; why: string }

export type MandateTables = {
  /** Inserts unless the id exists, and returns the stored mandate. */
  addMandate(mandate: NewMandate): Promise<Mandate>
  /** Newest first; with `isLive` only those that are valid now. */
  mandates(filter: { user: Address; chainId?: number; isLive?: boolean; limit: number }): Promise<UsedMandate[]>
  /** Number of a user's valid mandates on a chain. It takes a lock: until the transaction ends, other counters wait. */
  lockMandateCount(user: Address, chainId: number): Promise<number>
  /** Revokes a mandate, so that no later hire uses it. Undefined when the user has no such mandate. */
  revokeMandate(id: string, user: Address): Promise<UsedMandate | undefined>
  /**
   * Decides under a lock of the mandate whether it covers a run's hire, and reserves the amount in the same write. A run has
   * one drawing; another request replaces it.
   */
  drawOnMandate(drawing: Drawing): Promise<Drawn>
  /**
   * Called in the transaction that opens the job. True when the run's drawing on this mandate, for these terms, is still valid:
   * the mandate is neither revoked nor expired. It locks the mandate against revocation until the transaction ends. The drawing
   * on an ended mandate is deleted.
   */
  lockDrawing(of: Pick<Drawing, 'runId' | 'mandateId' | 'digest'>): Promise<boolean>
  /** The amount for which a mandate consents to these terms of a run: drawn, and valid when the job was opened. */
  mandateYes(runId: string, digest: string): Promise<Atomic | undefined>
}
