import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { minuteMs } from '../../domain/durations.ts'
import type { Address } from '../../domain/hex.ts'
import { parseJson, sha256 } from '../../domain/json.ts'
import { Problem } from '../../domain/problem.ts'
import { accessOf, type Deps } from '../../operations/operation.ts'

const challengeMs = 5 * minuteMs
const randomCount = 16

/** What a passkey is asked for. An answer to one purpose is refused for every other. */
export type Purpose = 'sign-up' | 'sign-in' | 'add' | 'yes'

/** A challenge as this service made it. `subject` is the user handle of a new passkey, or the digest that a yes is for. */
export type Challenge = { text: string; subject: string; until: number }

/** Makes a challenge. Nothing is stored before it is used, so asking for challenges fills nothing. */
export const makeChallenge = (deps: Deps, purpose: Purpose, subject = ''): string => {
  const text = `${deps.clock.now() + challengeMs} ${randomBytes(randomCount).toString('base64url')} ${subject}`
  return accessOf(deps).pack(text, `passkey:${purpose}`)
}

const clientData = z.object({ challenge: z.string() })

/**
 * The challenge to which an authenticator answered, of this service and purpose.
 * @param encoded the clientDataJSON of its answer, in base64url
 * @throws Problem signature-mismatch
 */
export const readChallenge = (deps: Deps, purpose: Purpose, encoded: string): Challenge => {
  const { data } = clientData.safeParse(parseJson(Buffer.from(encoded, 'base64url').toString('utf8')))
  const text = Buffer.from(data?.challenge ?? '', 'base64url').toString('utf8')
  const [until = '', , subject = ''] = accessOf(deps).unpack(text, `passkey:${purpose}`)?.split(' ') ?? []
  if (!(Number(until) > deps.clock.now())) throw ended()
  return { text, subject, until: Number(until) }
}

/**
 * Uses a challenge, once.
 * @throws Problem signature-mismatch when it was used before
 */
export const spendChallenge = async ({ store }: Pick<Deps, 'store'>, { text, until }: Challenge): Promise<void> => {
  if (!(await store.spendCode({ code: sha256(text), wallet: nobody, until, claimable: false }))) throw ended()
}

/** Only codes that a program may claim belong to somebody. */
const nobody: Address = `0x${'0'.repeat(40)}`

const ended = () => new Problem('signature-mismatch', 'This request to your passkey has ended, or was used before: try again.')

/** A challenge as the authenticator is given it, and gives it back. */
export const encoded = ({ text }: Challenge): string => Buffer.from(text).toString('base64url')
