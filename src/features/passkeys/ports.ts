import type { Address } from '../../domain/hex.ts'
import type { Tables } from '../../ports.ts'

/** A credential of WebAuthn level 3. Times are epoch ms. */
export type Passkey = {
  /** The credential's id in base64url. */
  id: string
  wallet: Address
  /** The public key (COSE) in base64url. */
  publicKey: string
  /** How often the authenticator says that it signed; 0 for those that do not count. */
  counter: number
  /** The person's name for it. */
  name: string
  createdAt: number
  usedAt: number
}
export type NewPasskey = Omit<Passkey, 'createdAt' | 'usedAt'>

/** A signature by which a person agreed to exactly one request, as the authenticator made it. */
export type PasskeyProof = {
  wallet: Address
  passkeyId: string
  /** The key that verifies the signature, also after the passkey was removed. */
  publicKey: string
  operation: string
  /** SHA-256 over the operation and its input, which the signed challenge names. */
  digest: string
  /** What was agreed to, as canonical JSON. */
  terms: string
  /** The members of the authenticator's answer, as JSON: with them and the public key anybody can verify the signature. */
  answer: string
}

export type PasskeyTables = {
  /** Adds a passkey. False when its id is known, or `most` others of its wallet are there. */
  addPasskey(passkey: NewPasskey, most: number): Promise<boolean>
  passkey(id: string): Promise<Passkey | undefined>
  /** Of a wallet, newest first. */
  passkeysOf(wallet: Address): Promise<Passkey[]>
  /** Notes a use, in one conditional write. False when the counter did not grow: somebody has a copy of the passkey. */
  usePasskey(id: string, counter: number): Promise<boolean>
  /** Removes a passkey. False when it is the last one of its wallet, or not there. */
  removePasskey(id: string, wallet: Address): Promise<boolean>
  /** Keeps the hash of the recovery code of a wallet in place of an earlier one. */
  keepRecovery(wallet: Address, hash: string): Promise<void>
  /** Replaces a recovery code by the next one, in one conditional write. The wallet; undefined for an unknown code. */
  useRecovery(hash: string, next: string): Promise<Address | undefined>
  addPasskeyProof(proof: PasskeyProof): Promise<void>
  /** Proofs of a wallet, newest first. */
  passkeyProofs(wallet: Address, limit: number): Promise<(PasskeyProof & { createdAt: number })[]>
}

/** The tables of this feature, which it adds to those of the core. */
export const passkeyTables = (tables: Tables): PasskeyTables => tables as Tables & PasskeyTables
