import type { Json } from '../domain/json.ts'

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
