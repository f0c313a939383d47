import { z } from 'zod'
import { dayMs } from '../durations.ts'
import type { Address } from '../hex.ts'
import { isObject, type JsonObject } from '../json.ts'
import { type Atomic, formatUsdc } from './money.ts'

/** Rolling windows that end now, in ms: a week is the last 168 hours, a month the last thirty days. */
export const periods = { day: dayMs, week: 7 * dayMs, month: 30 * dayMs } as const
export const period = z.enum(['day', 'week', 'month'])
export type Period = z.infer<typeof period>

/** Hires that a user allows the butler to make without asking. Amounts are atomic units of the chain's USDC. */
export type Mandate = {
  id: string
  user: Address
  chainId: number
  decimals: number
  maxPerJob: Atomic
  maxPerPeriod: Atomic
  period: Period
  /** The user is asked about hires above this amount, even within the limits. */
  askAbove: Atomic
  /** Lower case; an empty list allows any agent. */
  categories: string[]
  /** Hosts and addresses that purchases by x402 may pay, in lower case. */
  payees: string[]
  expiresAt: number
  createdAt: number
  revokedAt: number | undefined
}
export type NewMandate = Omit<Mandate, 'createdAt' | 'revokedAt'>

/**
 * A hire under a mandate, and the amount already used in the current window. `also`: the categories of each further agent of a
 * plan, standbys included, all of whom the mandate must cover.
 */
export type Draw = {
  amount: Atomic
  categories: string[]
  also?: string[][] | undefined
  payee?: Payee | undefined
  used: Atomic
  now: number
}

/** Who is paid by a purchase. `isOutside`: a catalogue of other services lists the resource. */
export type Payee = { host: string; address: Address; isOutside: boolean }

/** Whether a mandate is neither revoked nor expired at `now` (epoch ms). */
export const isLive = ({ expiresAt, revokedAt }: Pick<Mandate, 'expiresAt' | 'revokedAt'>, now: number): boolean =>
  revokedAt === undefined && now < expiresAt

/** The amount left in the current period in atomic units; zero when the limit is used up. */
export const leftOf = ({ maxPerPeriod }: Pick<Mandate, 'maxPerPeriod'>, used: Atomic): Atomic =>
  used < maxPerPeriod ? maxPerPeriod - used : 0n

/** Why the user has to be asked, as the end of "asks because …"; undefined when the mandate covers the hire. */
export const confirmationReason = (
  mandate: Mandate,
  { amount, categories, also = [], payee, used, now }: Draw,
): string | undefined => {
  const say = (it: Atomic) => formatUsdc(it, mandate.decimals)
  if (mandate.revokedAt !== undefined) return 'the mandate was revoked'
  if (!isLive(mandate, now)) return 'the mandate has ended'
  if (amount > mandate.maxPerJob) return `${say(amount)} is above ${say(mandate.maxPerJob)} a job`
  if (amount > mandate.askAbove) return `${say(amount)} is above ${say(mandate.askAbove)}`
  const isNamed = payee && [payee.host, payee.address].some(it => mandate.payees.includes(it))
  if (payee && !isNamed && mandate.payees.length > 0) return `the mandate names other payees than ${payee.host}`
  if (payee?.isOutside && !isNamed) return `the mandate does not name ${payee.host}, which is outside the market`
  const isCovered = (own: string[]) => mandate.categories.some(it => own.includes(it))
  if (mandate.categories.length > 0 && !isNamed && ![categories, ...also].every(isCovered))
    return `the agent names none of the categories ${mandate.categories.join(', ')}`
  if (amount > leftOf(mandate, used)) return `${say(amount)} is more than what is left`
  return undefined
}

/**
 * Categories of an agent from its registration, in lower case: its tags, and the ids, names and tags of its skills. The agent
 * chooses them, so they only narrow a mandate; the amounts are the safe limit.
 */
export const categoriesOf = (card: JsonObject): string[] =>
  [...tagsOf(card), ...[card, card.card].flatMap(it => (isObject(it) ? skillsOf(it.skills) : []))].map(toCategory)

/** The tags of an agent's registration, in either of its two places. */
export const tagsOf = (card: JsonObject): string[] => [card, card.card].flatMap(it => (isObject(it) ? textsOf(it.tags) : []))

export const toCategory = (text: string): string => text.trim().toLowerCase()

const textsOf = (it: unknown): string[] => [it].flat().flatMap(text => (typeof text === 'string' ? [text] : []))
const skillsOf = (it: unknown): string[] =>
  [it].flat().flatMap(skill => (isObject(skill) ? [skill.id, skill.name, skill.tags].flatMap(textsOf) : []))
