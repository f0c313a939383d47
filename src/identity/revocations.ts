import { minuteMs } from '../domain/durations.ts'
import type { Address } from '../domain/hex.ts'
import { everyChannel, revocationChannel } from '../domain/net/channels.ts'
import type { Clock, Revocation, Tables, Wakeups } from '../ports.ts'
import { createSharedRead } from './sharedRead.ts'

/** A revocation by another process whose wake-up was missed takes effect here within this time, in ms. */
const rereadMs = 2_000
/** Each read covers this time again, in ms, because a transaction may commit after later ones were read. */
const overlapMs = minuteMs

/** What is taken away: a token, all tokens of a wallet or of a program's grant, or the power of a token to say yes. */
export type Subject = { jti: string } | { wallet: Address } | { grant: string } | { yesOf: string }
export const toSubject = (of: Subject) => {
  if ('yesOf' in of) return `yes:${of.yesOf}`
  if ('grant' in of) return `grant:${of.grant}`
  return 'jti' in of ? `token:${of.jti}` : `user:${of.wallet}`
}

type Issued = { jti: string; wallet: Address; iat: number; grant?: { id: string } | undefined }

type Reach = { store: Pick<Tables, 'revoke' | 'revocationsSince'>; clock: Clock; wakeups: Pick<Wakeups, 'on'> }

/** Revocations cached in memory. A request reads the database only when the last read is two seconds old. */
export const createRevocations = ({ store, clock, wakeups }: Reach) => {
  const known = new Map<string, Revocation>()
  let readAt = Number.NEGATIVE_INFINITY
  let newest = 0

  wakeups.on(channel => {
    if (channel === revocationChannel || channel === everyChannel) readAt = Number.NEGATIVE_INFINITY
  })

  /** A stronger revocation of the same subject is kept. */
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
  const { refresh } = createSharedRead(read)

  return {
    /** Whether the subject was ever revoked. */
    has: async (of: Subject): Promise<boolean> => {
      if (clock.now() - readAt > rereadMs) await refresh()
      return known.has(toSubject(of))
    },
    isRevoked: async ({ jti, wallet, iat, grant }: Issued): Promise<boolean> => {
      if (clock.now() - readAt > rereadMs) await refresh()
      const isOver = (of: Subject) => iat <= (known.get(toSubject(of))?.before ?? Number.NEGATIVE_INFINITY)
      // A grant that has ended stays ended, whatever the time of a token.
      const hasEnded = grant !== undefined && known.has(toSubject({ grant: grant.id }))
      return hasEnded || isOver({ jti }) || isOver({ wallet })
    },
    revoke: async (of: Subject, until: number) => {
      const revocation = { subject: toSubject(of), before: Math.floor(clock.now() / 1000), until }
      await store.revoke(revocation)
      // A concurrent read may have begun before this write, so the revocation is cached directly.
      remember(revocation)
    },
  }
}
