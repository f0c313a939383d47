import type { Address } from '../domain/hex.ts'
import type { Mandate, NewMandate } from '../domain/mandate.ts'
import type { Atomic } from '../domain/money.ts'

/** A mandate, and the budgets of the hires under it in its period, without those that came back. */
export type UsedMandate = Mandate & { used: Atomic }

/** A hire that is to go under a mandate: its terms by their digest, and what its agent says of itself. */
export type Drawing = { mandateId: string; runId: string; digest: string; amount: Atomic; categories: string[] }

/** Whether a hire goes under a mandate; `left` is what remains after it. */
export type Drawn = { isCovered: true; left: Atomic } | { isCovered: false; why: string }

/** What users allow in advance, and what was hired under it. */
export type MandateTables = {
  /** Inserts unless the id exists, and returns the one that stands. */
  addMandate(mandate: NewMandate): Promise<Mandate>
  /** Newest first; with `isLive` only those that hold now. */
  mandates(filter: { user: Address; chainId?: number; isLive?: boolean; limit: number }): Promise<UsedMandate[]>
  /** How many of a user hold now on a chain. Until the transaction ends whoever else counts them waits. */
  holdMandates(user: Address, chainId: number): Promise<number>
  /** No hire goes under it from this write on. Undefined when the user has no such mandate. */
  revokeMandate(id: string, user: Address): Promise<UsedMandate | undefined>
  /**
   * Decides under the lock of the mandate whether a run's hire goes under it, and reserves its amount in the same write. A run
   * draws once: again, with these terms or others, replaces what it drew.
   */
  drawOnMandate(drawing: Drawing): Promise<Drawn>
  /**
   * In the transaction that opens the job: whether what the run drew for these terms still stands, the mandate being neither
   * revoked nor over. Until that transaction ends nobody revokes it. What stands no more is given back.
   */
  holdDrawing(runId: string, digest: string): Promise<boolean>
  /** The amount for which a mandate says yes to these terms of a run: drawn, and valid when the job was opened. */
  mandateYes(runId: string, digest: string): Promise<Atomic | undefined>
}
