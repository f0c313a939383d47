import { toChainName } from '../../domain/chains/chains.ts'
import { readConsent } from '../../domain/consent/readConsent.ts'
import type { Address } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import type { Mandate, NewMandate } from '../../domain/money/mandate.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { asProblem } from '../../domain/problem.ts'
import { readMandateWords } from '../../language/text/mandateWords.ts'
import type { Run, Tables, UsedMandate } from '../../ports.ts'
import type { Deps } from '../operation.ts'
import { addWithin, toMandate } from './createMandate.ts'
import { toMandateRecord } from './mandates.ts'

type Saying = { user: Address; conversationId: string; chainId: number; text: string; isWaiting: boolean }

/**
 * Answers a message that is only about mandates; undefined for every other message. Code parses the words, not a model. A
 * request is repeated in full, and set by a consent that refers to that text.
 */
export const answerAboutMandates = async (
  tables: Tables,
  deps: Pick<Deps, 'chains' | 'clock' | 'store' | 'presence'>,
  saying: Saying,
): Promise<string | undefined> => {
  const words = readMandateWords(saying.text)
  switch (words?.kind) {
    case 'show':
      return describe(deps, await liveOf(tables, saying.user))
    case 'revoke':
      return revokeAll(tables, saying.user)
    case 'unclear':
      return howTo
    case 'wish':
      if (await deps.presence?.hasPasskey(saying.user, deps)) return byPasskey
      return saying.isWaiting ? answerFirst : offer(deps, saying, deps.clock.now())
    default:
      if (!saying.isWaiting && ending.test(saying.text) && (await answeredAboutMandates(tables, saying)))
        return revokeAll(tables, saying.user)
      return saying.isWaiting || readConsent(saying.text) !== 'yes' ? undefined : setOffered(tables, deps, saying)
  }
}

const howTo =
  'I could not read that as a spending limit. Say it like this: up to 5 USDC a week, at most 1 a job, ask above 0.50, until 2027-01-31.'
const answerFirst =
  'A question of mine is open in this conversation, so no spending limit was set. Answer it first, then say this again.'
const byPasskey = 'Set a spending limit under Account: your passkey signs it there.'
const none = 'You have no spending limit: I ask before every hire.'
const offering = 'I would set this spending limit:'

/** Whether a yes to an answer sets the mandate that it repeats. */
export const isMandateOffer = (answer: string): boolean => answer.startsWith(offering)

/** The offer for a requested mandate. Its text is deterministic, so that a consent refers to exactly these words. */
const offer = (deps: Pick<Deps, 'chains'>, { text, chainId }: Pick<Saying, 'text' | 'chainId'>, now: number): string => {
  const mandate = readOffer(deps, { text, chainId }, now)
  return typeof mandate === 'string'
    ? mandate
    : `${offering} ${toWords(deps, mandate)}. What you approve yourself does not count. Say yes to set it.`
}

const readOffer = (deps: Pick<Deps, 'chains'>, { text, chainId }: Pick<Saying, 'text' | 'chainId'>, now: number) => {
  const words = readMandateWords(text)
  if (words?.kind !== 'wish') return howTo
  try {
    return toMandate(deps, { ...words, chainId }, now)
  } catch (error) {
    return toRefusal(error)
  }
}

const toRefusal = (error: unknown): string => `I cannot set that: ${asProblem(error).detail}`

/** Sets the mandate offered by the newest run of the conversation, unless the offer is too old. */
const setOffered = async (tables: Tables, deps: Pick<Deps, 'chains' | 'clock'>, { user, conversationId }: Saying) => {
  const asked = await tables.newestRun(conversationId, user)
  const now = deps.clock.now()
  if (!asked || !isOffer(deps, asked) || asked.createdAt + limits.proposalMs < now) return undefined
  const mandate = readOffer(deps, { text: asked.task, chainId: asked.chainId }, asked.createdAt)
  if (typeof mandate === 'string' || mandate.expiresAt <= now) return undefined
  const set = await addWithin(tables, { ...mandate, id: `mandate_of_${asked.id}`, user }).catch(toRefusal)
  return typeof set === 'string' ? set : `Set: ${toWords(deps, set)}. Say “end my spending limit” to end it.`
}

const isOffer = (deps: Pick<Deps, 'chains'>, { state, task, chainId, createdAt, answer }: Run): boolean =>
  state === 'completed' && readMandateWords(task)?.kind === 'wish' && answer === offer(deps, { text: task, chainId }, createdAt)

export const describeMandates = async (deps: Pick<Deps, 'chains' | 'clock' | 'store'>, user: Address): Promise<string> =>
  describe(deps, await liveOf(deps.store, user))

const liveOf = (tables: Pick<Tables, 'mandates'>, user: Address) =>
  tables.mandates({ user, isLive: true, limit: limits.pageRows })

/** Phrases such as "revoke it", which mean the mandates right after an answer about mandates. */
const ending =
  /^\W*(?:(?:please|ok|then),?\s+)*(?:revoke|end|cancel|remove|delete|stop)(?: (?:it|that|them|this))?(?: please)?\W*$/i
const answeredAboutMandates = async (tables: Tables, { conversationId, user }: Saying) =>
  (await tables.newestRun(conversationId, user))?.act === 'mandates'

const revokeAll = async (tables: Tables, user: Address): Promise<string> => {
  const live = await liveOf(tables, user)
  for (const { id } of live) await tables.revokeMandate(id, user)
  if (live.length === 0) return none
  return 'Ended. From now on I ask before every hire; running jobs continue.'
}

const describe = (deps: Pick<Deps, 'chains' | 'clock'>, live: UsedMandate[]): string => {
  if (live.length === 0) return none
  const now = deps.clock.now()
  return live.map(it => `I may spend ${toWords(deps, it)}; ${toMandateRecord(it, now).left} USDC are left.`).join('\n')
}

/** A chain is named only where there is more than one. */
const toWords = ({ chains }: Pick<Deps, 'chains'>, it: Omit<NewMandate, 'id' | 'user'> | Mandate): string => {
  const say = (amount: bigint) => `${formatUsdc(amount, it.decimals)} USDC`
  const chain = chains.size > 1 ? ` on ${toChainName(it.chainId)}` : ''
  return [
    `up to ${say(it.maxPerPeriod)} a ${it.period}${chain}`,
    `at most ${say(it.maxPerJob)} a job`,
    `without asking up to ${say(it.askAbove)}`,
    it.categories.length > 0 ? `only agents that name the category ${it.categories.join(' or ')}` : 'any agent',
    `until ${new Date(it.expiresAt).toISOString().slice(0, 10)}`,
  ].join(', ')
}
