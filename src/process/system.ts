import { randomBytes } from 'node:crypto'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Clock, Ids } from '../ports.ts'

export const systemClock: Clock = { now: Date.now }

/** 128 random bits: knowing an identifier can be a permission. */
export const randomIds: Ids = { fresh: prefix => `${prefix}_${randomBytes(16).toString('hex')}` }

const secrets = ['token', 'signature', 'authorization', 'privateKey', 'apiKey', 'raw', 'data']

/** Lines of JSON on standard error. Members that hold secrets are cut out wherever they stand. */
export const createLog = (level: string, to: DestinationStream): Logger =>
  pino({ level, redact: { paths: secrets.flatMap(name => [name, `*.${name}`, `*.*.${name}`]), remove: true } }, to)
