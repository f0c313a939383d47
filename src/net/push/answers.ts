import type { IncomingMessage } from 'node:http'
import type { PushEnd } from '../../ports.ts'

/** What the status of a push service means (RFC 8030, section 7). The rest of its answer is not read. */
export const toPushEnd = (status: number): PushEnd => {
  if (status >= 200 && status < 300) return 'taken'
  // 400 and 403: the browser subscribed with another key, so it never gets a message of ours.
  return [400, 403, 404, 410].includes(status) ? 'gone' : 'later'
}

export const readStatus = async (answer: IncomingMessage): Promise<PushEnd> => {
  answer.destroy()
  return toPushEnd(answer.statusCode ?? 0)
}
