import { randomBytes } from 'node:crypto'
import { type DestinationStream, type Logger, pino } from 'pino'
import { redactSecrets } from '../domain/text/secretTexts.ts'
import type { Clock, Ids } from '../ports.ts'
import { loggedNow } from './logContext.ts'
import { membersWithoutSecrets } from './secrets.ts'

export const systemClock: Clock = { now: Date.now }

/** 128 random bits, because knowing an id can be a permission. */
export const randomIds: Ids = { fresh: prefix => `${prefix}_${randomBytes(16).toString('hex')}` }

/** A log of JSON lines. Secrets are removed by member name and by pattern. */
export const createLog = (level: string, to: DestinationStream): Logger =>
  pino(
    { level, mixin: loggedNow, formatters: { log: it => membersWithoutSecrets(it) }, hooks: { streamWrite: redactSecrets } },
    to,
  )
