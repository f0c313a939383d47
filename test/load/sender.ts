import { crowd } from './measures.ts'

const patienceMs = 30_000
/** The address of an attack that has only one. */
const oneAddress = '203.0.113.7'

/** `text` is a body that is sent as it is. */
type Asked = { body?: unknown; text?: string; token?: string | undefined; accept?: string; from?: string }
type Given = { url: string; tokens: string[]; fullSize: number }

export type Sender = ReturnType<typeof createSender>

/** Creates the client of an attacker, which ends at SIGTERM and counts its requests and their answers. */
export const createSender = ({ url, tokens, fullSize }: Given) => {
  const ending = new AbortController()
  process.once('SIGTERM', () => ending.abort())
  const isOver = () => ending.signal.aborted
  const figures = { sent: 0, refused: 0, errors_5xx: 0, unanswered: 0 }
  const count = (status: number) => {
    figures.sent += 1
    if (figures.sent === fullSize) process.stderr.write('full size\n')
    if (status >= 500) figures.errors_5xx += 1
    else if (status >= 400) figures.refused += 1
  }
  return {
    figures,
    ending,
    isOver,
    tokenOf: (at: number) => tokens[at % tokens.length] ?? '',
    /**
     * Sends one request from an address that is not this machine's. Returns the response text, or an empty one when no response
     * came.
     */
    send: async (path: string, { body, text, token, accept = 'application/json', from = oneAddress }: Asked = {}) => {
      const headers = {
        accept,
        'content-type': 'application/json',
        'x-forwarded-for': from,
        ...(token && { authorization: `Bearer ${token}` }),
      }
      const sent = text ?? (body === undefined ? undefined : JSON.stringify(body))
      const init = sent === undefined ? { headers } : { method: 'POST', headers, body: sent }
      const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(patienceMs)])
      try {
        const response = await fetch(`${url}${path}`, { ...init, signal })
        count(response.status)
        return await response.text()
      } catch {
        if (!isOver()) figures.unanswered += 1
        return ''
      }
    },
    /** Keeps a number of concurrent requests running. */
    goOn: (atOnce: number, one: (at: number) => Promise<unknown>) =>
      crowd({ count: Number.POSITIVE_INFINITY, atOnce }, async at => {
        if (isOver()) return Promise.reject(new Error('over'))
        await one(at)
      }).catch(() => undefined),
  }
}
