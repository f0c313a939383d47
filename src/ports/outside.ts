import type { Json } from '../domain/json.ts'

export type OutsideAnswer = { status: number; body: string }

/** Calls to addresses that strangers named. */
export type Dialer = {
  /**
   * POSTs JSON to an address; a redirect is an answer like any other and is not followed.
   * @throws Problem endpoint-not-allowed when the name leads, also in part, to a network that is not the open internet;
   * agent-unreachable when no whole answer comes within `limits.callMs` and `limits.callBytes`
   */
  post(url: URL, body: Json, signal?: AbortSignal): Promise<OutsideAnswer>
  /** As `post`, without a body. */
  get(url: URL, signal?: AbortSignal): Promise<OutsideAnswer>
}
