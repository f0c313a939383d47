import { toIso } from '../domain/durations.ts'
import type { PostAlert } from '../ports.ts'

const timeoutMs = 5_000

/** Posts alerts to an address of the operator. `text` is what chat programs show. The answer is not read. */
export const createAlertPost =
  (url: string): PostAlert =>
  async ({ alert, subject, status, words, remedy, since, at }) => {
    const text = status === 'firing' ? `${words} ${remedy}` : `Over: ${words}`
    const times = { since: toIso(since), at: toIso(at) }
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text, status, alert, subject, words, remedy, ...times }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      await answer.body?.cancel()
      return answer.ok
    } catch {
      // The address may contain a secret of the receiver, so the error is not passed on.
      return false
    }
  }
