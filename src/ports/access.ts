import type { AccountEventKind } from '../domain/access/accountEvents.ts'
import type { Address } from '../domain/hex.ts'
import type { GasUse } from '../domain/money/gasBudget.ts'

/** A token signing key: the public half as a JWK, the private half sealed. */
export type TokenKey = { number: number; kid: string; publicJwk: Record<string, string>; sealed: string; madeAt: number }

/**
 * A revocation of the subject `token:<jti>` or `user:<wallet>`: tokens issued up to `before` (epoch s) are revoked. At `until`
 * (epoch ms) all of them have expired.
 */
export type Revocation = { subject: string; before: number; until: number }

/** Whether a bare signature of the wallet registers agents: undecided, refused since a fresh proof, or allowed by its owner. */
export type KeyMode = 'fresh' | 'closed' | 'open'

/** Authentication: tokens and their keys, used codes, registrations by bare signature. */
export type AccessTables = {
  /** Newest first. */
  tokenKeys(): Promise<TokenKey[]>
  /** Inserts unless the number exists, because two processes may create the next key at the same time. */
  addTokenKey(key: Omit<TokenKey, 'madeAt'>): Promise<void>

  /** Adds a revocation. An earlier, stronger one of the same subject is kept. */
  revoke(revocation: Revocation): Promise<void>
  revocation(subject: string): Promise<Revocation | undefined>
  /** Unexpired revocations written at or after a time (epoch ms). */
  revocationsSince(at: number): Promise<(Revocation & { at: number })[]>

  /** Uses a code; false when it was used before. A claimable code may be claimed once by the program that started its session. */
  spendCode(of: { code: string; wallet: Address; claimable: boolean; until: number }): Promise<boolean>
  /** The wallet that used a code, once; `pending` before the code is used, `gone` afterwards. */
  claimCode(code: string): Promise<{ wallet: Address } | 'pending' | 'gone'>
  /** Invalidates the unclaimed codes that this wallet approved. */
  dropClaims(wallet: Address): Promise<void>

  keyMode(wallet: Address): Promise<KeyMode>
  /** Like `keyMode`, with a lock: until the transaction ends, no other one counts or closes. */
  lockKeyMode(wallet: Address): Promise<KeyMode>
  /** Closes the wallet's key mode, unless its owner set it open. True when a bare signature of the wallet was used before. */
  closeKeyMode(wallet: Address): Promise<boolean>
  setKeyMode(wallet: Address, state: 'closed' | 'open'): Promise<void>

  /** Registrations, paid hires and withdrawals of a wallet on a chain in the last 24 hours. */
  gasUse(wallet: Address, chainId: number): Promise<GasUse>

  addKeyRegistration(of: { agentKey: string; wallet: Address; source: string | undefined }): Promise<void>
  /** Counts registrations by bare signature of a wallet or a network address in the last `withinMs` ms. */
  countKeyRegistrations(of: { wallet: Address } | { source: string }, withinMs?: number): Promise<number>
  /** Marks an agent as confirmed by its owner; false when it was before. */
  confirmAgent(agentKey: string): Promise<boolean>
  /** The given agents that are not confirmed. */
  unverifiedAgents(agentKeys: string[]): Promise<string[]>
  unverifiedIds(): Promise<string[]>
}

/** What the owner of an account is told about it. `seq` ascends in the order of telling; times are epoch ms. */
export type AccountEvent = { seq: number; kind: AccountEventKind; text: string; createdAt: number }

/** What accounts are told, and the limit that their owners set. */
export type AccountEventTables = {
  /** Tells a wallet something. Of each kind the newest are kept, so that no kind hides another one. */
  addAccountEvent(of: { wallet: Address; kind: AccountEventKind; text: string }): Promise<void>
  /** Newest first. */
  accountEvents(of: { wallet: Address; limit: number }): Promise<AccountEvent[]>
  /** The limit above which a yes of the wallet needs a passkey, in decimal USDC; undefined where none was set. */
  yesLimit(wallet: Address): Promise<string | undefined>
  /** Sets the limit, unless another write changed it from `before`; false then. */
  setYesLimit(wallet: Address, of: { usdc: string; before: string | undefined }): Promise<boolean>
}
