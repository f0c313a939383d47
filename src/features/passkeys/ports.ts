import { z } from 'zod'
import { type Address, address } from '../../domain/hex.ts'
import type { RowOf } from '../../ports/rows/columns.ts'
import type { Tables } from '../../ports.ts'

/** A credential of WebAuthn level 3. Times are epoch ms. */
export const passkeyRow = {
  /** The credential's id in base64url. */
  id: z.string(),
  wallet: address,
  /** The public key (COSE) in base64url. */
  publicKey: z.string(),
  /** How often the authenticator says that it signed; 0 for those that do not count. */
  counter: z.number(),
  name: z.string(),
  createdAt: z.number(),
  usedAt: z.number(),
}
export type Passkey = RowOf<typeof passkeyRow>
export type NewPasskey = Omit<Passkey, 'createdAt' | 'usedAt'>

/** A signature by which a person agreed to exactly one request, as the authenticator made it. */
export const passkeyProofRow = {
  wallet: address,
  passkeyId: z.string(),
  /** The key that verifies the signature, also after the passkey was removed. */
  publicKey: z.string(),
  operation: z.string(),
  /** SHA-256 over the operation and its input, which the signed challenge names. */
  digest: z.string(),
  /** What was agreed to, as canonical JSON. */
  terms: z.string(),
  /** The members of the authenticator's answer, as JSON: with them and the public key anybody can verify the signature. */
  answer: z.string(),
  createdAt: z.number(),
}
export type PasskeyProof = RowOf<typeof passkeyProofRow>

export type PasskeyTables = {
  /** Adds a passkey. False when its id is known, or `most` others of its wallet are there. */
  addPasskey(passkey: NewPasskey, most: number): Promise<boolean>
  passkey(id: string): Promise<Passkey | undefined>
  passkeysOf(wallet: Address): Promise<Passkey[]>
  /** Notes a use, in one conditional write. False when the counter did not grow: somebody has a copy of the passkey. */
  usePasskey(id: string, counter: number): Promise<boolean>
  /** Removes a passkey. False when it is the last one of its wallet, or not there. */
  removePasskey(id: string, wallet: Address): Promise<boolean>
  /** Keeps the hash of the recovery code of a wallet in place of an earlier one. */
  keepRecovery(wallet: Address, hash: string): Promise<void>
  /** Replaces a recovery code by the next one, in one conditional write. The wallet; undefined for an unknown code. */
  useRecovery(hash: string, next: string): Promise<Address | undefined>
  addPasskeyProof(proof: Omit<PasskeyProof, 'createdAt'>): Promise<void>
  /** Proofs of a wallet, newest first. */
  passkeyProofs(wallet: Address, limit: number): Promise<PasskeyProof[]>
}

export const passkeyTables = (tables: Tables): PasskeyTables => tables as Tables & PasskeyTables
