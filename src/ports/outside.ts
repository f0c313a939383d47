import type { Json } from '../domain/json.ts'
import type { PaidRequest } from '../domain/purchase.ts'

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

/** The answer headers that a buyer reads; undefined when absent. */
export type ResourceAnswer = OutsideAnswer & { contentType: string; paymentRequired: string | undefined }

/** Requests to resources that users buy. */
export type ResourceClient = {
  /**
   * Sends a request with a payment header, if any. Redirects are returned, not followed, because a payment is for one resource.
   * @throws Problem endpoint-not-allowed when any address of the host is not public
   * @throws Problem agent-unreachable without a complete response within `limits.resourceMs` and `limits.callBytes`
   */
  send(request: PaidRequest, payment?: [name: string, value: string], signal?: AbortSignal): Promise<ResourceAnswer>
}
