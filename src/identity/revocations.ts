import { minuteMs } from '../domain/durations.ts'
import type { Address } from '../domain/hex.ts'
import type { Clock, Revocation, Tables } from '../ports.ts'

/** Another process's revocation counts here within this time. */
const rereadMs = 2_000
/** Transactions of that time may have been written and not yet seen. */
const overlapMs = minuteMs

export type Subject = { jti: string } | { wallet: Address }
export const toSubject = (of: Subject) => ('jti' in of ? `token:${of.jti}` : `user:${of.wallet}`)

type Reach = { store: Pick<Tables, 'revoke' | 'revocationsSince'>; clock: Clock }

/** What counts no more, in memory: a request asks the database only when the last look is two seconds old. */
export const createRevocations = ({ store, clock }: Reach) => {
  const known = new Map<string, Revocation>()
  let readAt = Number.NEGATIVE_INFINITY
  let newest = 0
  let reading: Promise<void> | undefined

  /** A wider revocation of the subject stays. */
  const remember = (it: Revocation) => {
    const earlier = known.get(it.subject)
    if (!earlier || earlier.before <= it.before) known.set(it.subject, it)
  }
  const read = async () => {
    const at = clock.now()
    for (const it of await store.revocationsSince(newest - overlapMs)) {
      remember(it)
      newest = Math.max(newest, it.at)
    }
    for (const [subject, { until }] of known) if (until <= at) known.delete(subject)
    readAt = at
  }
  const refresh = () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }

  return {
    isRevoked: async ({ jti, wallet, iat }: { jti: string; wallet: Address; iat: number }): Promise<boolean> => {
      if (clock.now() - readAt > rereadMs) await refresh()
      const isOver = (of: Subject) => iat <= (known.get(toSubject(of))?.before ?? Number.NEGATIVE_INFINITY)
      return isOver({ jti }) || isOver({ wallet })
    },
    revoke: async (of: Subject, until: number) => {
      const revocation = { subject: toSubject(of), before: Math.floor(clock.now() / 1000), until }
      await store.revoke(revocation)
      // A read under way may have begun before this write, so what was written counts here at once.
      remember(revocation)
    },
  }
}
