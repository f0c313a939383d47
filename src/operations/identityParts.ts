import type { Grant } from '../domain/access/scopes.ts'
import type { Address } from '../domain/hex.ts'
import type { JsonObject } from '../domain/json.ts'

export type Identity = {
  begin(): Promise<{ code: string }>
  /**
   * @throws Problem not-found for an unknown code
   * @throws Problem signature-mismatch
   */
  approve(of: {
    code: string
    wallet: Address
    signer: Address | undefined
    /** Whether the program that started the session also gets a token, through GET /v1/status. */
    handOver?: boolean
  }): Promise<Issued>
  /** The text to sign for a session that waits for approval. It names a chain, the default one when absent. */
  messageOf(code: string, wallet: Address, chainId?: number): Promise<string>
  /** @throws Problem invalid-token, token-expired */
  verify(token: string): Promise<Address>
  /** Whether `limitToAsking` was called for the token, in any process. */
  asksOnly(token: string): Promise<boolean>
  /** Takes from a token, for the rest of its life, the power to say yes. */
  limitToAsking(token: string): Promise<void>
  /** What the program that holds a token may do; undefined for the token of a person. */
  grantOf(token: string): Promise<Grant | undefined>
}

type Issued = { token: string; expiresAt: number }

/** A registration as named in a signed text. */
export type Registering = { wallet: Address; chainId: number; handle: string; bodyHash: string }

export type Access = {
  /**
   * The token of an approved session, once; undefined before its approval.
   * @throws Problem not-found
   */
  claim(code: string): Promise<Issued | undefined>
  issueForADay(wallet: Address): Promise<Issued>
  revokeOne(token: string): Promise<void>
  revokeAll(wallet: Address): Promise<void>
  publicKeys(): Promise<{ kty: string; crv: string; x: string; y: string; kid: string; alg: string; use: string }[]>
  /** An EIP-4361 text for exactly this registration, valid for five minutes and one use. */
  challenge(of: Registering): { message: string; expiresAt: number }
  /** The nonce of a text that `challenge` made for exactly this registration; undefined when it is not, or is too old. */
  challengeOf(of: Registering, message: string): string | undefined
  /** A code for one purpose that ends at `until` (epoch ms). The same purpose and time give the same code. */
  codeFor(purpose: string, until: number): string
  /** The end of such a code in epoch ms; undefined when it is not ours, for another purpose, or over. */
  endOfCode(code: string, purpose: string): number | undefined
  /** A key of 32 bytes for one purpose, the same in every process of a deployment. It never leaves the service. */
  keyFor(purpose: string): Uint8Array
  /** A text that only this service can have made. Anybody can read it. */
  pack(text: string, purpose: string): string
  /** The text of `pack`; undefined when it is not ours, or for another purpose. */
  unpack(packed: string, purpose: string): string | undefined
  /**
   * Signs a statement of this service, such as a receipt, as a compact JWS. Anybody can verify it with `publicKeys`. `type`:
   * that of the JWS.
   */
  sign(statement: JsonObject, type?: 'JOSE'): Promise<string>
  /** A token with which a program acts for a wallet within a grant, for `forMs`. */
  issueToProgram(wallet: Address, grant: Grant, forMs: number): Promise<Issued>
  revokeGrant(grant: string): Promise<void>
  /** Whether all tokens of a wallet were revoked at `since` (epoch ms) or later. */
  wereRevoked(wallet: Address, since: number): Promise<boolean>
  /** Uses a nonce; false when it was used before. It also ends the wallet's bare signature. */
  spendChallenge(nonce: string, wallet: Address): Promise<boolean>
}
