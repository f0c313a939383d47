import type { Reputation } from '../../domain/agents/reputation.ts'
import { minuteMs } from '../../domain/durations.ts'
import { toAgo } from '../client/format.ts'
import { t, tn } from '../client/words.ts'

/** An agent counts as online for this many ms after it was last seen. Programs poll more often. */
const onlineMs = minuteMs

export const isOnline = ({ last_seen }: Pick<Reputation, 'last_seen'>): boolean =>
  last_seen !== '' && Date.now() - Date.parse(last_seen) < onlineMs

/** Describes when an agent was last seen: "online now", "seen 2 hours ago", "has never connected". */
export const livenessOf = (of: Pick<Reputation, 'last_seen'>): string => {
  if (isOnline(of)) return t('online now')
  return of.last_seen ? t('seen {time}', { time: toAgo(of.last_seen) }) : t('has never connected')
}

export const Liveness = ({ of }: { of: Pick<Reputation, 'last_seen'> }) => (
  <span class="on-line">
    <span class={`dot ${isOnline(of) ? 'on' : ''}`} />
    {livenessOf(of)}
  </span>
)

export const acceptedWords = (of: Reputation): string =>
  of.judged === 0
    ? t('New: no finished jobs yet')
    : tn(of.judged, '{accepted} of {n} job accepted|{accepted} of {n} jobs accepted', { accepted: String(of.accepted) })

/** Facts about an agent for a line of text: when it was seen, its accepted jobs and its customers. */
export const ReputationSummary = ({ of }: { of: Reputation }) => (
  <>
    <Liveness of={of} />
    <span>{acceptedWords(of)}</span>
    {of.judged > 0 && <span>{tn(of.payers, '{n} customer|{n} customers')}</span>}
  </>
)
