import { z } from 'zod'
import { address } from '../../domain/hex.ts'
import { turnAct } from '../../domain/runs/acts.ts'
import { nextTask } from '../../domain/runs/nextTask.ts'
import { choice, question } from '../../domain/runs/question.ts'
import { proposedTerms } from '../../domain/x402/purchaseProposal.ts'
import { jsonText, maybe, type RowOf, repeatedJson } from './columns.ts'
import type { Job } from './job.ts'

export const runState = z.enum(['working', 'awaiting-input', 'awaiting-confirmation', 'awaiting-job', 'completed', 'failed'])
export type RunState = z.infer<typeof runState>
export const askingStates = ['awaiting-input', 'awaiting-confirmation'] as const satisfies RunState[]
/** The run goes on without its user. */
export const workingStates = ['working', 'awaiting-job'] as const satisfies RunState[]
export const endedStates = ['completed', 'failed'] as const satisfies RunState[]

export const runRow = {
  id: z.string(),
  conversationId: z.string(),
  /** The user's own wallet, from the token. */
  user: address,
  chainId: z.number(),
  task: z.string(),
  /** The agent that the user called directly, if any. */
  target: maybe(z.string()),
  state: runState,
  /** The graph's id of the interrupt that waits for an answer. */
  interruptId: maybe(z.string()),
  /** Text shown to the user: a question, a proposal or a result. */
  answer: z.string(),
  /** The open questions, one per field, while the run waits for them. */
  questions: maybe(jsonText(z.array(question))),
  /** The proposed hire or purchase, while the run waits for the yes or no. */
  proposal: maybe(repeatedJson(proposedTerms)),
  jobId: maybe(z.string()),
  /** The recognised intent of the newest message; undefined until it is recognised, and in old runs. */
  act: maybe(turnAct),
  /** The offerings that the user may choose from while the run waits for a choice, and afterwards those that its answer named. */
  choices: maybe(jsonText(z.array(choice))),
  /** Further tasks of the user's message that have not been started. */
  nextTasks: maybe(jsonText(z.array(nextTask))),
  /** Tasks of the message that nobody here does. */
  unplanned: maybe(jsonText(z.array(z.string()))),
  /** The run whose end started this one automatically. */
  follows: maybe(z.string()),
  /** The run whose plan this run is a step of, and the number of the step. */
  parent: maybe(z.string()),
  step: maybe(z.number()),
  /** Sequence number of the last event in its log; 0 before the first. */
  lastSeq: z.number(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** When the retention time removed its texts. */
  prunedAt: maybe(z.number()),
}
export type Run = RowOf<typeof runRow>

/** A user's answer to an interrupt of a run. The first answer is kept. */
export const runInput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('answer'), text: z.string() }),
  /**
   * A message that the butler interprets. `digest` names the terms proposed when it was sent, else empty. `mayAgree` is true
   * when the message may be a yes.
   */
  z.object({ kind: z.literal('said'), text: z.string(), digest: z.string(), isLapsed: z.boolean(), mayAgree: z.boolean() }),
  /** The user's order that started the run. The reward is decimal USDC. */
  z.object({ kind: z.literal('order'), agent: z.string(), service: z.string(), reward: z.string(), text: z.string() }),
  z.object({
    kind: z.literal('decision'),
    decision: z.enum(['yes', 'no', 'change', 'lapsed', 'replaced']),
    digest: z.string(),
    text: z.string(),
  }),
])
export type RunInput = z.infer<typeof runInput>

/**
 * A run with what was read at its claim, all absent where that is not known. `isBinding`: it had a plan or a purchase. `isAlone`: its
 * conversation had no other run. `inputs` has at least those with which the run began, by their keys. `job`: it may have been moved since.
 */
export type ClaimedRun = Run & {
  isBinding?: boolean | undefined
  isAlone?: boolean | undefined
  inputs?: ReadonlyMap<string, RunInput> | undefined
  job?: Job | undefined
}

export const messageRow = {
  role: z.enum(['user', 'agent']),
  content: z.string(),
  runId: maybe(z.string()),
  act: maybe(turnAct),
  at: z.number(),
}
type MessageRow = RowOf<typeof messageRow>
/** A message without an act was written by an earlier release, or by the butler. */
export type Message = Omit<MessageRow, 'act'> & Partial<Pick<MessageRow, 'act'>>
