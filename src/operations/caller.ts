import type { Scope } from '../domain/access/scopes.ts'
import type { Address } from '../domain/hex.ts'

/**
 * The caller. The wallet comes only from a verified token, the agent only from a verified secret. The signal aborts when the
 * caller disconnects.
 */
export type Caller = {
  wallet: Address | undefined
  /** The bearer token itself, needed to revoke it. */
  token?: string | undefined
  agentKey?: string | undefined
  /** Network address, or its /64 for IPv6. Undefined for requests of this machine itself, that is a proxy or the operator. */
  source?: string | undefined
  idempotencyKey?: string | undefined
  /** The If-Match header: the entity tags for which a change applies. */
  ifMatch?: string | undefined
  /** The A2A-Version header: the protocol version of a request to an agent. */
  a2aVersion?: string | undefined
  /** The x402 payment of the request, as sent in its header. */
  payment?: string | undefined
  /** The answer of a passkey to a yes that asked for it, as sent in its header. */
  passkeyAnswer?: string | undefined
  /** What a program may do for its user. Undefined for a person, who may do everything. */
  scopes?: readonly Scope[] | undefined
  /** The caller may be a model: it may ask for everything, but its yes to a payment or a budget does not count. */
  asksOnly?: boolean | undefined
  signal?: AbortSignal | undefined
  /** Charges work after the response, in ms, to the event loop time of the caller's network address. */
  charge?(ms: number): void
  /** Names the run that the request is about, for the log and the trace. */
  onRun?(runId: string): void
  /** Adds a warning to the response, for the client's log. */
  warn?(text: string): void
}
