import { Problem } from '../domain/problem.ts'
import { toProblemBody } from './problem.ts'

const retryAfterS = 3

/**
 * Creates the refusal of requests before they are read. Its text is made once, because a flood gets it a thousand times a
 * second. The connection is closed: a client that ignores the answer must open another one.
 * @param detail what the client must change
 */
export const createRefusal = (detail: string): (() => Response) => {
  const body = JSON.stringify(toProblemBody(new Problem('rate-limited', detail)))
  const headers = { 'content-type': 'application/problem+json', 'retry-after': String(retryAfterS), connection: 'close' }
  return () => new Response(body, { status: 429, headers })
}
