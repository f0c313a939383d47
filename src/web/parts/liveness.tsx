import { minuteMs } from '../../domain/durations.ts'
import type { Reputation } from '../../domain/reputation.ts'
import { toAgo, toCount } from '../client/format.ts'

/** An agent that was seen within so many ms is online; programs ask for work more often. */
const onlineMs = minuteMs

export const isOnline = ({ last_seen }: Pick<Reputation, 'last_seen'>): boolean =>
  last_seen !== '' && Date.now() - Date.parse(last_seen) < onlineMs

/** Whether an agent is there, in words: "online now", "seen 2 hours ago", "has never connected". */
export const livenessOf = (of: Pick<Reputation, 'last_seen'>): string => {
  if (isOnline(of)) return 'online now'
  return of.last_seen ? `seen ${toAgo(of.last_seen)}` : 'has never connected'
}

export const Liveness = ({ of }: { of: Pick<Reputation, 'last_seen'> }) => (
  <span class="on-line">
    <span class={`dot ${isOnline(of) ? 'on' : ''}`} />
    {livenessOf(of)}
  </span>
)

/** What became of an agent's jobs, in words. */
export const acceptedWords = (of: Reputation): string =>
  of.judged === 0 ? 'New: no finished jobs yet' : `${of.accepted} of ${toCount(of.judged, 'job')} accepted`

/** Whether an agent is there, and how its jobs went: facts for a line with dots between. */
export const Standing = ({ of }: { of: Reputation }) => (
  <>
    <Liveness of={of} />
    <span>{acceptedWords(of)}</span>
    {of.judged > 0 && <span>{toCount(of.payers, 'customer')}</span>}
  </>
)
