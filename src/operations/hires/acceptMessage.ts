import { z } from 'zod'
import type { AgentId } from '../../domain/agentId.ts'
import { isLeaving, readConsent } from '../../domain/consent.ts'
import { type Address, nobody } from '../../domain/hex.ts'
import { readHireOrder } from '../../domain/hireOrder.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import type { Run, RunInput, Tables } from '../../ports.ts'
import { speakOfMandates } from '../mandates/speakOfMandates.ts'
import { once, type RequestKey } from '../once.ts'
import { chainOf, type Deps } from '../operation.ts'
import { answerInterrupt } from '../runs/answerInterrupt.ts'
import { orderKey } from './agreeByOrder.ts'
import { whyNot, withdrawJob } from './cancelJob.ts'

export type Said = {
  user: Address
  conversationId: string
  chainId: number
  text: string
  /** The agent that the user called directly. */
  target?: AgentId | undefined
  /** The digest of the terms that the message answers, if the sender named it. */
  digest?: string | undefined
  request?: RequestKey | undefined
  /** Network address of a sender without a token. */
  source?: string | undefined
  /** The sender may be a model. Its consent to a proposal is accepted only with the digest of the terms. */
  asksOnly?: boolean
}

/** The run that a message belongs to, and the last event of that run before the message. */
export const accepted = z.object({ runId: z.string(), afterSeq: z.number() })
export type Accepted = z.infer<typeof accepted>

/** Records a user's message: as the answer for a waiting run of the conversation, otherwise as a new task. */
export const acceptMessage = async (deps: Deps, said: Said): Promise<Accepted> => {
  chainOf(deps, said.chainId)
  return deps.store.atomically(tables =>
    once(tables, { request: said.request, answer: accepted }, async () => {
      const waiting = await tables.waitingRun(said.conversationId, said.user)
      const told = isOwnWord(said) && (await speakOfMandates(tables, deps, { ...said, isWaiting: waiting !== undefined }))
      if (told) return answerAtOnce(tables, deps.ids.fresh('run'), { said, answer: told })
      if (waiting?.interruptId && isAbout(waiting, said))
        return answerRun(tables, { run: waiting, interruptId: waiting.interruptId, said, now: deps.clock.now() })
      return (
        (await takeBack(tables, deps, said)) ??
        (await repeatedConsent(tables, said)) ??
        startRun(tables, deps.ids.fresh('run'), said)
      )
    }),
  )
}

/** A message to a named agent does not answer the run of another agent. */
const isAbout = (run: Run, { target }: Said): boolean => target === undefined || target === (run.target ?? run.proposal?.agentId)

/** Whether an authenticated user wrote to the butler directly. Only such messages may set mandates or order hires. */
const isOwnWord = ({ user, asksOnly, target, digest }: Said): boolean =>
  user !== nobody && !asksOnly && target === undefined && digest === undefined

type AtOnce = { said: Said; answer: string }

/** Adds a completed run with its answer, without the butler. */
const answerAtOnce = async (tables: Tables, id: string, { said, answer }: AtOnce): Promise<Accepted> => {
  const { user, conversationId, chainId, text } = said
  await tables.addRun({ id, conversationId, user, chainId, task: text, answer })
  for (const [role, content] of [
    ['user', text],
    ['agent', answer],
  ] as const)
    await tables.addMessage(conversationId, user, { role, content, runId: id })
  await tables.addRunEvent(id, { kind: 'message', summary: text, data: { role: 'user' }, key: 'message' })
  await tables.addRunEvent(id, { kind: 'answer', summary: answer, data: {}, key: 'answer' })
  return { runId: id, afterSeq: 0 }
}

type Answer = { run: Run; interruptId: string; said: Said; now: number }

const answerRun = async (tables: Tables, { run, interruptId, said, now }: Answer): Promise<Accepted> => {
  if (said.digest !== undefined && said.digest !== run.proposal?.digest) throw new Problem('proposal-changed')
  const input = toInput(run, said.text, now)
  if (said.asksOnly && input.kind === 'decision' && input.decision === 'yes')
    throw new Problem('invalid-input', 'A proposal waits: its yes must come with its digest, by confirm_hire.', '/task')
  const first = await answerInterrupt(tables, { runId: run.id, interruptId, input })
  // A concurrent answer was first. It is kept, and this sender gets its result.
  if (!first) return { runId: run.id, afterSeq: 0 }
  await tables.addMessage(said.conversationId, said.user, { role: 'user', content: said.text, runId: run.id })
  return { runId: run.id, afterSeq: run.lastSeq }
}

const toInput = (run: Run, text: string, now: number): RunInput => {
  if (run.state === 'awaiting-input' || !run.proposal)
    return isLeaving(text) ? { kind: 'decision', decision: 'no', digest: '', text } : { kind: 'answer', text }
  const decision = readConsent(text)
  const lapsed = decision === 'yes' && run.proposal.lapsesAt < now
  return { kind: 'decision', decision: lapsed ? 'lapsed' : decision, digest: run.proposal.digest, text }
}

/** "Cancel" and "stop" during a job refer to that job. Its run decides whether it can be withdrawn. */
const takeBack = async (tables: Tables, deps: Deps, { user, conversationId, text }: Said): Promise<Accepted | undefined> => {
  const newest = isLeaving(text) ? await tables.newestRun(conversationId, user) : undefined
  const job = newest?.state === 'awaiting-job' ? await tables.jobOfRun(newest.id) : undefined
  if (!newest || !job) return undefined
  await tables.addMessage(conversationId, user, { role: 'user', content: text, runId: newest.id })
  await tables.addRunEvent(newest.id, { kind: 'message', summary: text, data: { role: 'user' } })
  if (!(await withdrawJob(tables, deps, job)))
    await tables.addRunEvent(newest.id, { kind: 'message', summary: whyNot(job), data: { role: 'agent' } })
  return { runId: newest.id, afterSeq: newest.lastSeq }
}

/** A repeated consent during the hire belongs to the same hire, so consenting twice hires once. */
const repeatedConsent = async (tables: Tables, { user, conversationId, text }: Said): Promise<Accepted | undefined> => {
  if (readConsent(text) === 'change') return undefined
  const newest = await tables.newestRun(conversationId, user)
  return newest && (newest.state === 'working' || newest.state === 'awaiting-job') ? { runId: newest.id, afterSeq: 0 } : undefined
}

/** @throws Problem too-many-runs */
export const refuseCrowd = async (tables: Tables, user: Address): Promise<void> => {
  if ((await tables.holdOpenRuns(user, limits.proposalMs)) >= limits.openRuns)
    throw new Problem('too-many-runs', `At most ${limits.openRuns} runs of one user are open. Answer or wait for some of them.`)
}

/**
 * Limits runs without a token. Concurrent messages may exceed the limit by the number of concurrent transactions.
 * @throws Problem too-many-runs
 */
export const refuseAnonymousCrowd = async (tables: Tables, source: string | undefined) => {
  const { ofAll, ofSource } = await tables.countWorkingRuns(nobody, source)
  if (ofAll >= limits.anonymousRuns || ofSource >= limits.anonymousRunsOfAddress)
    throw new Problem('too-many-runs', 'Too many messages without a token are being answered. Send a token, or try again.')
}

const startRun = async (tables: Tables, id: string, said: Said): Promise<Accepted> => {
  const { user, conversationId, chainId, text, target, source } = said
  await (user === nobody ? refuseAnonymousCrowd(tables, source) : refuseCrowd(tables, user))
  await tables.addRun({ id, conversationId, user, chainId, task: text, target, source })
  await tables.addMessage(conversationId, user, { role: 'user', content: text, runId: id })
  await tables.addRunEvent(id, { kind: 'message', summary: text, data: { role: 'user' }, key: 'message' })
  const order = user === nobody || said.asksOnly ? undefined : readHireOrder(text)
  if (order) {
    const { agent, service, reward } = order
    await tables.addRunInput(id, orderKey, { kind: 'order', agent, service, reward, text })
  }
  await tables.wakeRun(id)
  return { runId: id, afterSeq: 0 }
}
