import type { GasUse } from '../domain/gasBudget.ts'
import type { Address } from '../domain/hex.ts'

/** A key that signs tokens: the public half as a JWK, the private half sealed. */
export type TokenKey = { number: number; kid: string; publicJwk: Record<string, string>; sealed: string; madeAt: number }

/** `token:<jti>` or `user:<wallet>`: what was issued up to `before` (epoch s) counts no more; `until` (epoch ms) none of it lives. */
export type Revocation = { subject: string; before: number; until: number }

/** Whether the bare signature of a wallet registers: not yet asked, refused since a fresh proof, or wanted by its owner. */
export type KeyMode = 'fresh' | 'closed' | 'open'

/** Who may do what: tokens and their keys, codes that were used, registrations by bare signature. */
export type AccessTables = {
  /** Newest first. */
  tokenKeys(): Promise<TokenKey[]>
  /** Inserts unless the number exists: of two processes that make the next key, one is first. */
  addTokenKey(key: Omit<TokenKey, 'madeAt'>): Promise<void>

  /** Revokes; an earlier, wider revocation of the subject stays. */
  revoke(revocation: Revocation): Promise<void>
  revocation(subject: string): Promise<Revocation | undefined>
  /** Those written at or after a moment (epoch ms) that still matter. */
  revocationsSince(at: number): Promise<(Revocation & { at: number })[]>

  /** Uses a code up; false when it was used before. A claimable one may be claimed once by whoever began it. */
  spendCode(of: { code: string; wallet: Address; claimable: boolean; until: number }): Promise<boolean>
  /** The wallet that used a code, once; `pending` before the code is used, `gone` afterwards. */
  claimCode(code: string): Promise<{ wallet: Address } | 'pending' | 'gone'>
  /** What this wallet approved and nobody has claimed is claimed no more. */
  dropClaims(wallet: Address): Promise<void>

  keyMode(wallet: Address): Promise<KeyMode>
  /** As keyMode; inside a transaction nobody else counts or closes until its end. */
  holdKeyMode(wallet: Address): Promise<KeyMode>
  /** Closes the wallet's key mode, unless its owner wanted it open; true when its bare signature was used before. */
  closeKeyMode(wallet: Address): Promise<boolean>
  setKeyMode(wallet: Address, state: 'closed' | 'open'): Promise<void>

  /** Registrations, paid hires and withdrawals of a wallet on a chain in the last 24 hours. */
  gasUse(wallet: Address, chainId: number): Promise<GasUse>

  addKeyRegistration(of: { agentKey: string; wallet: Address; source: string | undefined }): Promise<void>
  /** Agents that came by bare signature, of a wallet or a network address, in the last so many ms. */
  countKeyRegistrations(of: { wallet: Address } | { source: string }, withinMs?: number): Promise<number>
  /** The owner stands behind the agent; false when that is known. */
  confirmAgent(agentKey: string): Promise<boolean>
  /** Those of some agents that nobody has confirmed. */
  unverifiedAgents(agentKeys: string[]): Promise<string[]>
  /** The ids of all of them that have one. */
  unverifiedIds(): Promise<string[]>
}
