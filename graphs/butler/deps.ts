import type { Verdict } from '../../src/domain/acceptance.ts'
import type { Situation } from '../../src/domain/acts.ts'
import type { AgentId } from '../../src/domain/agentId.ts'
import type { Choice } from '../../src/domain/choice.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import type { Listing } from '../../src/domain/offering.ts'
import type { Proposal } from '../../src/domain/proposal.ts'
import type { Asking, Job, Model, RunInput, Store, Turn } from '../../src/ports.ts'

/** A listing that fits the task, with the share of the task's words that it covers and, where it was searched for, its score. */
export type Candidate = {
  listing: Listing
  coverage: number
  score?: number | undefined
  /** False when its agent was never seen alive. */
  hasConnected?: boolean | undefined
}

export type Want = { text: string; chainId: number; maxPrice: string | undefined; agent: string | undefined }

/** What a verdict comes to: `pass` when it may be paid. */
export type Judged = { pass: boolean; errors: string[] }

/** What a message is about that changes something which is no longer open: an ended job, a proposal that was left, offerings that were named. */
export type Before = { agentId: AgentId; offeringId: string; input: JsonObject; said: string[] }

/** What the rows of a conversation say, beside the run itself. */
export type Recalled = { situation: Situation; before: Before | undefined; offers: Choice[] }

/** Everything the butler may reach. Effects take the run or the job as their key, so that a node is safe to run twice. */
export type ButlerDeps = {
  model: Model
  /** Reads, chooses and fills without a language model, where the model does not answer. */
  rules: Model
  /** The most ms that one message waits for the model. */
  modelMs: number
  /** Ms since 1970. */
  now(): number
  servesChain(chainId: number): boolean
  /** Tells the run's log; the same key of one run is told once. */
  tell: Store['addRunEvent']
  /** What a message can refer to, from the rows of its conversation. */
  recall(runId: string): Promise<Recalled>
  /** Does what an act asks for that is no hire, once a turn, and says what came of it, from rows. */
  respond(turn: Turn): Promise<string>
  /** What is known of offerings, in words. */
  describeOffers(choices: Choice[]): Promise<string>
  /** How long ago an agent was seen, in words. */
  tellAlive(agentId: AgentId): Promise<string>
  /** Says that nothing was hired and paid where the rows of the run's conversation say so; else empty. */
  unpaid(runId: string): Promise<string>
  /** Begins the next task that was said besides, once. */
  startNext(runId: string, tasks: string[]): Promise<void>
  /** Listings that anyone may hire, best first, each read again from our own rows. */
  findListings(want: Want): Promise<Candidate[]>
  readListing(agentId: AgentId, offeringId: string): Promise<Listing | undefined>
  /** Writes the proposal from our own rows. */
  writeProposal(of: {
    listing: Listing
    coverage?: number
    input: string
    reason: string
    others: Candidate[]
    /** What the user wished of the result, word for word. */
    wishes?: string[]
    /** For whom; who was asked before in this run is asked again. */
    run?: { id: string; isAsked: boolean }
  }): Promise<Proposal>
  /** Whether the user's own hire sentence is the yes to these terms; records it. */
  agreeByOrder(runId: string, proposal: Proposal): Promise<boolean>
  /** Records the yes that the user's words to these terms were read as; false when they cannot be one. */
  agreeByWords(runId: string, of: { interruptId: string; digest: string }): Promise<boolean>
  /** What the user said to an interrupt; undefined while nothing was said. */
  readInput(runId: string, interruptId: string): Promise<RunInput | undefined>
  /** Opens the job of a run and decides its escrow, once; says why not when it may not. */
  openJob(
    runId: string,
    proposal: Proposal,
  ): Promise<Job | { refusal: 'offering-changed' | 'not-covered' | 'insufficient-funds' | 'over-limit'; words: string }>
  readJob(jobId: string): Promise<Job | undefined>
  /** What was found of the job's delivery; the first verdict of a delivery stands. */
  judge(jobId: string, asking: Asking): Promise<Verdict | undefined>
  tellVerdict(jobId: string, verdict: Verdict): Promise<void>
  acceptDeliverable(jobId: string): Promise<void>
  /** Sends the job back to its agent when promise and attempts allow it; false when they do not. */
  reviseDeliverable(jobId: string, verdict: Judged): Promise<boolean>
  rejectDeliverable(jobId: string, verdict: Judged): Promise<void>
  /** The amount, transaction and place of the money at the job's end, in words. */
  describeEnd(job: Job): Promise<string>
}
