import type { Address } from '../../../../src/domain/hex.ts'
import { confirmHire } from '../../../../src/operations/hires/confirmHire.ts'
import { invoke, invokeOutput } from '../../../../src/operations/messages/invoke.ts'
import { type RunRecord, runRecord } from '../../../../src/records/run.ts'
import type { Random } from '../random.ts'
import type { Task } from '../tasks.ts'
import type { Answer, World } from '../world.ts'
import type { Theme, Wish } from './themes.ts'

/** How a user reacts to a proposal. */
export type Plan = 'hire' | 'by text' | 'decline' | 'change' | 'twice' | 'torn' | 'late' | 'silent' | 'robbed' | 'stale' | 'poor'

/** A conversation as its user knows it. */
export type Talk = {
  id: string
  plan: Plan
  theme: Wish
  isVague: boolean
  /** The idempotency key of the first message; undefined for an old client. */
  key: string | undefined
  runId: string | undefined
  record: RunRecord | undefined
  tries: number
  rounds: number
  isOver: boolean
}

/**
 * `mandates` are those that are valid as far as the user knows; undefined for a user who wants to be asked. `planning`: the draws of a
 * user who asks for several things at once.
 */
export type User = {
  wallet: Address
  proxy: Address | undefined
  wishes: number
  themes: Theme[]
  talks: Talk[]
  mandates: string[] | undefined
  planning: Random | undefined
}

/** A user who is about to act. */
export type Acting = { world: World; user: User; others: User[]; random: Random }

type Said = { message: string; key?: string | undefined; waitMs?: number; signal?: AbortSignal }

/** Sends a message to the butler. */
export const say = ({ world, user }: Acting, talk: Talk, { message, key, waitMs = 0, signal }: Said): Task =>
  world.ask({
    operation: invoke,
    input: { message, conversation_id: talk.id, wait_ms: waitMs },
    wallet: user.wallet,
    key,
    ...(signal && { signal }),
    heard(answer) {
      if (!('value' in answer)) return
      const { run_id, data } = invokeOutput.parse(answer.value)
      if (key) noteKey(world, `${user.wallet} ${key}`, run_id)
      talk.runId = run_id
      keep(world, talk, data)
    },
  })

const noteKey = ({ log }: World, key: string, runId: string) => log.keyed.set(key, (log.keyed.get(key) ?? new Set()).add(runId))

const keep = ({ log }: World, talk: Talk, record: RunRecord) => {
  talk.record = record
  const shown = toShown(record)
  if (shown) log.shown.push({ runId: record.run_id, ...shown })
}

/** The terms that wait for a yes: of a hire, or of a plan. */
export const toShown = ({ proposal, plan }: RunRecord): { digest: string; lapsesAt: number } | undefined => {
  if (proposal) return proposal
  return plan?.state === 'proposed' ? { digest: plan.digest, lapsesAt: Date.parse(plan.lapses_at) } : undefined
}

/** Stores a run's record as the newest that the user has received. */
export const keepAnswer = (world: World, talk: Talk) => (answer: Answer) => {
  if ('value' in answer) keep(world, talk, runRecord.parse(answer.value))
}

/** Records any success as a scandal, because the data belongs to another user. */
export const refuse = (world: World, what: string, answer: Answer): void => {
  if ('value' in answer) world.log.scandals.push(`I12 ${what} answered somebody whose run it is not`)
}

type Decision = { digest: string; decision: 'yes' | 'no' }

/** Answers a proposal with yes or no, by its digest. */
export const decide = ({ world, user }: Acting, talk: Talk, said: Decision, heard = keepAnswer(world, talk)): Task => {
  if (said.decision === 'yes') noteConsent({ world, user }, talk, said.digest)
  return world.ask({ operation: confirmHire, input: { run_id: talk.runId, ...said, wait_ms: 0 }, wallet: user.wallet, heard })
}

/** Sends "yes" as a message, for whatever is proposed at that moment. */
export const sayYes = (at: Acting, talk: Talk, how: Omit<Said, 'message'> = {}): Task => {
  noteConsent(at, talk, undefined)
  return say(at, talk, { ...how, message: 'yes' })
}

const noteConsent = ({ world, user }: Pick<Acting, 'world' | 'user'>, talk: Talk, digest: string | undefined) =>
  world.log.consents.push({
    user: user.wallet,
    conversationId: talk.id,
    runId: talk.runId,
    digest,
    at: world.ground.time.clock.now(),
  })
