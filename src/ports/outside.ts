import type { Json } from '../domain/json.ts'
import type { PaidAnswer } from '../domain/x402/paidAnswer.ts'
import type { PaidRequest } from '../domain/x402/purchase.ts'

export type OutsideAnswer = { status: number; body: string }

/** HTTP requests to URLs that strangers supplied. */
export type Dialer = {
  /**
   * POSTs JSON to a URL. Redirects are returned, not followed.
   * @throws Problem endpoint-not-allowed when any address of the host is not public
   * @throws Problem agent-unreachable without a complete response within `limits.callMs` and `limits.callBytes`
   */
  post(url: URL, body: Json, signal?: AbortSignal): Promise<OutsideAnswer>
  /** Like `post`, without a body. */
  get(url: URL, signal?: AbortSignal): Promise<OutsideAnswer>
}

/** The answer headers that a buyer reads; undefined when absent. `challenge` is WWW-Authenticate. */
export type ResourceAnswer = OutsideAnswer & {
  contentType: string
  paymentRequired: string | undefined
  challenge: string | undefined
  etag?: string | undefined
}

/** Stores one part of an answer. Parts come in order, from 0; part 0 replaces all earlier ones. */
export type KeepPart = (at: number, bytes: Uint8Array) => Promise<void>

/** Requests to resources that users buy. Redirects are returned, not followed, because a payment is for one resource. */
export type ResourceClient = {
  /**
   * Sends a request without a payment. An answer that is not text becomes a `data:` URL.
   * @throws Problem endpoint-not-allowed when any address of the host is not public
   * @throws Problem agent-unreachable without a complete response within `limits.resourceMs` and `limits.callBytes`
   */
  ask(request: PaidRequest, signal: AbortSignal, headers?: Record<string, string>): Promise<ResourceAnswer>
  /**
   * Sends a request with a payment header. Once the answer has begun, what arrives of it is kept: up to `limits.resourceBytes`
   * within `limits.resourceMs`.
   * @throws Problem endpoint-not-allowed when any address of the host is not public
   * @throws Problem agent-unreachable without an answer
   */
  buy(
    request: PaidRequest,
    payment: [name: string, value: string],
    of: { keep: KeepPart; signal: AbortSignal },
  ): Promise<PaidAnswer>
}
