import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock, Sealer, Tables } from '../ports.ts'

const secretName = 'authorization-codes'
const timeDigits = 12
const randomBytesOfCode = 16
const macDigits = 32
const shape = new RegExp(`^[0-9a-f]{${timeDigits + 2 * randomBytesOfCode + macDigits}}$`)

const endingShape = new RegExp(`^[0-9a-f]{${timeDigits + macDigits}}$`)

/** Compares two codes of the same length, in a time that does not depend on them. */
const isSame = (one: string, other: string) => timingSafeEqual(Buffer.from(one), Buffer.from(other))

type Reach = { store: Pick<Tables, 'secret' | 'addSecret'>; sealer: Sealer; clock: Clock }

/**
 * Stateless codes that carry the time and purpose of their creation. Nothing is stored before a code is used, so requesting
 * codes cannot fill the database, and every process of a deployment accepts them. They have 76 hex digits, so logs shorten them
 * like keys.
 */
export const createCodes = async ({ store, sealer, clock }: Reach) => {
  const sealed =
    (await store.secret(secretName)) ??
    (await store.addSecret(secretName, sealer.seal(randomBytes(32).toString('hex'), secretName)))
  const secret = Buffer.from(sealer.open(sealed, secretName), 'hex')
  const macOf = (stem: string, purpose: string) =>
    createHmac('sha256', secret).update(`${stem}:${purpose}`).digest('hex').slice(0, macDigits)

  /** The end is part of the code, so that it need not be stored. */
  const codeFor = (purpose: string, until: number): string => {
    const stem = until.toString(16).padStart(timeDigits, '0')
    return stem + macOf(stem, `until:${purpose}`)
  }

  return {
    codeFor,
    /** A key of 32 bytes for one purpose, the same in every process of a deployment. */
    keyFor: (purpose: string): Uint8Array => createHmac('sha256', secret).update(`key:${purpose}`).digest(),
    /** A text that only this service can have made, so that it need not be stored. Anybody can read it. */
    pack: (text: string, purpose: string): string => {
      const stem = Buffer.from(text).toString('base64url')
      return `${stem}.${macOf(stem, `packed:${purpose}`)}`
    },
    /** The text of `pack`; undefined when it is not ours, or for another purpose. */
    unpack: (packed: string, purpose: string): string | undefined => {
      const [stem = '', mac = ''] = packed.split('.')
      const own = macOf(stem, `packed:${purpose}`)
      if (packed !== `${stem}.${mac}` || mac.length !== own.length || !isSame(mac, own)) return undefined
      return Buffer.from(stem, 'base64url').toString('utf8')
    },
    endOfCode: (code: string, purpose: string): number | undefined => {
      const until = Number.parseInt(code.slice(0, timeDigits), 16)
      if (!endingShape.test(code) || !isSame(code, codeFor(purpose, until))) return undefined
      return clock.now() > until ? undefined : until
    },
    issue: (purpose: string): { code: string; begun: number } => {
      const begun = clock.now()
      const stem = begun.toString(16).padStart(timeDigits, '0') + randomBytes(randomBytesOfCode).toString('hex')
      return { code: stem + macOf(stem, purpose), begun }
    },
    /** The time of a code's creation in epoch ms; undefined when it is not ours, for another purpose, or older than `lifeMs`. */
    begunAt: (code: string, purpose: string, lifeMs: number): number | undefined => {
      if (!shape.test(code)) return undefined
      const [stem, mac] = [code.slice(0, -macDigits), code.slice(-macDigits)]
      if (!isSame(mac, macOf(stem, purpose))) return undefined
      const begun = Number.parseInt(stem.slice(0, timeDigits), 16)
      return clock.now() - begun > lifeMs ? undefined : begun
    },
  }
}
