import { z } from 'zod'
import type { AgentId } from '../../domain/agents/agentId.ts'
import { readHireOrder } from '../../domain/consent/hireOrder.ts'
import { readConsent } from '../../domain/consent/readConsent.ts'
import { type Address, nobody } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { toOwnUrls } from '../../domain/text/ownWords.ts'
import { isHire, toOffer } from '../../domain/x402/purchaseProposal.ts'
import { addressKey } from '../../domain/x402/wantedResource.ts'
import type { Run, RunInput, Tables } from '../../ports.ts'
import { answerAboutMandates, isMandateOffer } from '../mandates/answerAboutMandates.ts'
import { once, type RequestKey } from '../once.ts'
import { chainOf, type Deps, within } from '../operation.ts'
import { AnsweredBefore, answerInterrupt, takeAnswer } from '../runs/answerInterrupt.ts'
import { waitUntil } from '../waiting.ts'
import { orderKey } from './agree.ts'
import { zoneKey } from './recall.ts'
import { steerPlan } from './steerPlan.ts'
import { demandPasskeyFor } from './yesLimit.ts'

export type Said = {
  user: Address
  conversationId: string
  chainId: number
  text: string
  /** The IANA time zone of the user, where the sender named it. */
  timeZone?: string | undefined
  /** The agent that the user called directly. */
  target?: AgentId | undefined
  /** The digest of the terms that the message answers, if the sender named it. */
  digest?: string | undefined
  request?: RequestKey | undefined
  /** Network address of a sender without a token. */
  source?: string | undefined
  /** The sender may be a model. Its consent to a proposal is accepted only with the digest of the terms. */
  asksOnly?: boolean
  /** The answer of the sender's passkey to the digest of the terms. */
  passkeyAnswer?: string | undefined
}

/**
 * The run that a message belongs to, and the last event of that run before the message. `isBegun`: the message has just woken the
 * run. The parser leaves it out of the stored answer to a repeated request.
 */
export type Accepted = { runId: string; afterSeq: number; isBegun?: true }
export const accepted = z.object({ runId: z.string(), afterSeq: z.number() }).transform((it): Accepted => it)

/** Records a user's message: as the answer for a waiting run of the conversation, otherwise as a new task. */
export const acceptMessage = async (deps: Deps, said: Said): Promise<Accepted> => {
  chainOf(deps, said.chainId)
  try {
    return await take(deps, said, { waits: true })
  } catch (error) {
    if (!(error instanceof Unsettled)) throw error
    await settle(deps, error.runId)
    return take(deps, said, { waits: false })
  }
}

/** The conversation has a working run, which may ask what the message answers. */
class Unsettled extends Error {
  readonly runId: string
  constructor(runId: string) {
    super(`run ${runId} is working`)
    this.runId = runId
  }
}

/** @throws Unsettled if it waits for a working run */
const take = (deps: Deps, said: Said, of: { waits: boolean }): Promise<Accepted> =>
  deps.store
    .atomically(tables => once(tables, { request: said.request, answer: accepted }, () => takeIn(tables, deps, { ...of, said })))
    .catch((error: unknown) => {
      if (error instanceof AnsweredBefore) return { runId: error.runId, afterSeq: 0 }
      throw error
    })

const takeIn = async (tables: Tables, deps: Deps, { said, waits }: { said: Said; waits: boolean }): Promise<Accepted> => {
  const { conversationId, user } = said
  const { waiting, newest } = await tables.answerableRuns(conversationId, user)
  if (waits && newest && mayAsk(newest, said)) throw new Unsettled(newest.id)
  const told = isOwnWord(said) && (await answerAboutMandates(tables, deps, { ...said, isWaiting: waiting !== undefined }))
  if (told) return answerAtOnce(tables, deps.ids.fresh('run'), { said, answer: told })
  // A conversation without a run has no plan.
  const steered = isOwnWord(said) && newest && !waiting && (await steerPlan(tables, deps, said))
  if (steered) return answerAtOnce(tables, deps.ids.fresh('run'), { said, answer: steered, act: 'cancel' })
  if (waiting?.interruptId && isAbout(waiting, said))
    return answerRun(tables, deps, { run: waiting, interruptId: waiting.interruptId, said })
  const repeated = newest && repeatedConsent(newest, said)
  if (repeated) return repeated
  // A message about certain terms is no new task when these terms are gone.
  if (said.digest !== undefined) throw new Problem('proposal-changed')
  return startRun(tables, deps.ids.fresh('run'), said)
}

/** A message to a named agent does not answer the run of another agent. */
const isAbout = (run: Run, { target }: Said): boolean =>
  target === undefined || target === (run.target ?? (isHire(run.proposal) ? run.proposal.agentId : undefined))

/** Whether an authenticated user wrote to the butler directly. Only such messages may set mandates or order hires. */
const isOwnWord = ({ user, asksOnly, target, digest }: Said): boolean =>
  user !== nobody && !asksOnly && target === undefined && digest === undefined

type AtOnce = { said: Said; answer: string; act?: 'mandates' | 'cancel' }

/** Adds a completed run with its answer, without the butler. */
const answerAtOnce = async (tables: Tables, id: string, { said, answer, act = 'mandates' }: AtOnce): Promise<Accepted> => {
  const { user, conversationId, chainId, text } = said
  await tables.addRun({ id, conversationId, user, chainId, task: text, answer, act })
  await tables.addMessage(conversationId, user, { role: 'user', content: text, runId: id, act })
  await tables.addMessage(conversationId, user, { role: 'agent', content: answer, runId: id })
  await tables.addRunEvent(id, { kind: 'message', summary: text, data: { role: 'user' }, key: 'message' })
  // The page draws an offer with a button, and leads to the limits.
  const data = { act, ...(isMandateOffer(answer) && { offers: 'mandate' }) }
  await tables.addRunEvent(id, { kind: 'answer', summary: answer, data, key: 'answer' })
  return { runId: id, afterSeq: 0 }
}

type Answer = { run: Run; interruptId: string; said: Said }

/** A large yes asks for the passkey in the transaction that records it, so no other terms take the place of those it signed. */
const answerRun = async (tables: Tables, deps: Deps, { run, interruptId, said }: Answer): Promise<Accepted> => {
  if (said.digest !== undefined && said.digest !== run.proposal?.digest) throw new Problem('proposal-changed')
  if (said.asksOnly && run.proposal && readConsent(said.text, toOffer(run.proposal)) === 'yes')
    throw new Problem(
      'person-needed',
      'A proposal waits for the yes of a person. Call confirm_hire with its digest to ask for it.',
    )
  // What the limit of the user is, is asked while the answer is written: a missing passkey undoes the write.
  const isOwnYes = !said.asksOnly && isYesTo(run, said.text)
  const demanded = isOwnYes ? demandPasskeyFor(within(deps, tables), run, said.passkeyAnswer) : undefined
  // It may fail before it is awaited.
  demanded?.catch(() => undefined)
  const now = deps.clock.now()
  const mayAgree = !said.asksOnly && (await isFreshYes(tables, { run, said, now }))
  const input = toInput(run, said, { now, mayAgree })
  const message = { role: 'user', content: said.text, runId: run.id } as const
  const answer = { runId: run.id, interruptId, input }
  const taken = takeAnswer(tables, answer)
  // The claim of a request stays, so a repeated one gets the same result. Other senders undo what they have sent.
  if (said.request && !(await taken)) return { runId: run.id, afterSeq: 0 }
  await Promise.all([
    answerInterrupt(tables, answer, taken),
    tables.addMessage(said.conversationId, said.user, message),
    demanded,
  ])
  return { runId: run.id, afterSeq: run.lastSeq, isBegun: true }
}

const toInput = (run: Run, said: Said, of: { now: number; mayAgree: boolean }): RunInput => ({
  kind: 'said',
  text: said.text,
  digest: run.proposal?.digest ?? '',
  isLapsed: run.proposal !== undefined && run.proposal.lapsesAt < of.now,
  mayAgree: of.mayAgree,
})

/** A yes within this time after another one may be a repeated request. */
const sameYesMs = 5_000

/** Whether a yes is new and not repeated. It may be repeated only for a proposal that followed an earlier one automatically. */
const isFreshYes = async (
  tables: Tables,
  { run, said, now }: Omit<Answer, 'interruptId'> & { now: number },
): Promise<boolean> => {
  if (run.follows === undefined) return true
  const yes = (await tables.messages(said.conversationId, said.user)).findLast(it => it.role === 'user' && it.act === 'yes')
  return yes === undefined || now - yes.at >= sameYesMs
}

/** Whether a message is a yes to what the run proposed. Until its job is open, a run keeps the proposal that was answered. */
const isYesTo = ({ proposal }: Run, text: string): boolean => readConsent(text, proposal && toOffer(proposal)) === 'yes'

/** Time in ms to wait for a working run of the conversation, so that the message can answer its question. */
const settleMs = 5_000

const mayAsk = (newest: Run, { user, target, text }: Said): boolean =>
  user !== nobody && target === undefined && newest.state === 'working' && !isYesTo(newest, text)

const settle = async (deps: Deps, runId: string): Promise<void> => {
  const at = { channel: `run:${runId}`, deadline: deps.clock.now() + settleMs }
  await waitUntil(deps, at, async () => ((await deps.store.run(runId))?.state === 'working' ? undefined : true))
}

/** A repeated consent during the hire belongs to the same hire, so consenting twice hires once. */
const repeatedConsent = (newest: Run, { text }: Said): Accepted | undefined => {
  if (newest.state !== 'working' && newest.state !== 'awaiting-job') return undefined
  return isYesTo(newest, text) ? { runId: newest.id, afterSeq: 0 } : undefined
}

/**
 * Limits the open runs of a user.
 * @throws Problem too-many-runs
 */
export const limitOpenRuns = async (tables: Tables, user: Address): Promise<void> => {
  if ((await tables.lockOpenRunCount(user, limits.proposalMs)) >= limits.openRuns)
    throw new Problem(
      'too-many-runs',
      `At most ${limits.openRuns} open runs are allowed per user. Answer some of them, or wait for them.`,
    )
}

/**
 * Limits runs without a token. Concurrent messages may exceed the limit by the number of concurrent transactions.
 * @throws Problem too-many-runs
 */
export const limitAnonymousRuns = async (tables: Tables, source: string | undefined) => {
  const { ofAll, ofSource } = await tables.countWorkingRuns(nobody, source)
  if (ofAll >= limits.anonymousRuns || ofSource >= limits.anonymousRunsOfAddress)
    throw new Problem('too-many-runs', 'Too many messages without a token are being answered. Send a token, or try again.')
}

const startRun = async (tables: Tables, id: string, said: Said): Promise<Accepted> => {
  const { user, conversationId, chainId, text, target, source } = said
  // Sent at once, in this order: the limit counts the runs before this one.
  await Promise.all([
    user === nobody ? limitAnonymousRuns(tables, source) : limitOpenRuns(tables, user),
    tables.addRun({ id, conversationId, user, chainId, task: text, target, source }),
    tables.addMessage(conversationId, user, { role: 'user', content: text, runId: id }),
    tables.addRunEvent(id, { kind: 'message', summary: text, data: { role: 'user' }, key: 'message' }),
  ])
  if (said.timeZone) await tables.keepRunInput(id, zoneKey, { kind: 'answer', text: said.timeZone })
  const order = user === nobody || said.asksOnly ? undefined : readHireOrder(text)
  if (order) {
    const { agent, service, reward } = order
    await tables.keepRunInput(id, orderKey, { kind: 'order', agent, service, reward, text })
  }
  // Only an address that the user named can be paid by a mandate without a question.
  const [address] = isOwnWord(said) ? toOwnUrls(text) : []
  if (address !== undefined) await tables.keepRunInput(id, addressKey, { kind: 'answer', text: address })
  return { runId: id, afterSeq: 0, isBegun: true }
}
