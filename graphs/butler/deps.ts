import type { AgentId } from '../../src/domain/agents/agentId.ts'
import type { FileLink } from '../../src/domain/files/fileLinks.ts'
import type { GivenFile } from '../../src/domain/files/namedFile.ts'
import type { Address } from '../../src/domain/hex.ts'
import type { Verdict } from '../../src/domain/jobs/acceptance.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import type { Listing } from '../../src/domain/offerings/offering.ts'
import type { Plan, StepPurchase } from '../../src/domain/plans/plan.ts'
import type { Reference } from '../../src/domain/plans/planStates.ts'
import type { Situation } from '../../src/domain/runs/acts.ts'
import type { Proposal } from '../../src/domain/runs/proposal.ts'
import type { PurchaseProposal } from '../../src/domain/runs/purchaseTerms.ts'
import type { Choice } from '../../src/domain/runs/question.ts'
import type { WantedResource } from '../../src/domain/x402/wantedResource.ts'
import type {
  Asking,
  ClaimedRun,
  Job,
  LanguageModel,
  Model,
  Purchase,
  Run,
  RunInput,
  Store,
  Turn,
  TurnTalk,
} from '../../src/ports.ts'

/**
 * A listing that the search found. `coverage` is the share (0–1) of the task's words that it contains; `score` is its search
 * score (0–1).
 */
export type Candidate = {
  listing: Listing
  coverage: number
  score?: number | undefined
  /** False if the agent was never online. */
  hasConnected?: boolean | undefined
}

export type Want = { text: string; chainId: number; maxPrice: string | undefined; agent: string | undefined }

/** A verdict in short; `pass` means that the agent may be paid. */
export type Judged = { pass: boolean; errors: string[] }

/**
 * The earlier offering that a message may refer to when nothing is open. It comes from an ended job, a declined proposal or an
 * offering that was named.
 */
export type Before = { agentId: AgentId; offeringId: string; input: JsonObject; said: string[] }

/**
 * The context of a message, read from the database rows of its conversation. `wasDeclined`: the user's message before was
 * declined as harmful. `isNearest`: the offers are only the nearest ones, named where nothing fitted. `language`: the one that
 * the newest earlier request tells.
 */
export type Recalled = {
  situation: Situation
  before: Before | undefined
  offers: Choice[]
  wasDeclined: boolean
  isNearest?: boolean
  language?: string
  /** The user's time zone (IANA), where it is known. */
  timeZone?: string
}

/** One hire of a plan: values that are known, and references to the results of earlier steps. */
export type PlannedHire = { listing: Listing; values: JsonObject; references: Record<string, Reference> }
/** A step of a plan. `leftOut`: phrases of the user that no input contains. */
export type PlannedStep = { number: number; task: string; leftOut: string[] } & (
  | (PlannedHire & { coverage: number; reason: string; standby: PlannedHire | undefined })
  | { purchase: StepPurchase }
)

/**
 * Everything the butler may access. Effects are keyed by run or job, so a node may safely run twice. The last parameters `run`,
 * `user` and `job` are rows that were read a moment ago; without them they are read.
 */
export type ButlerDeps = {
  /** The language model; without one, its id is that of the rules and it is not asked. */
  model: LanguageModel
  /** Reads, chooses and fills without a language model. */
  rules: Model
  /** The most ms that one message waits for the model. */
  modelMs: number
  /** Ms since 1970. */
  now(): number
  servesChain(chainId: number): boolean
  /** Decimals of USDC on a chain of a proposal: 6 or 18. */
  usdcDecimals(chainId: number): number
  /** Adds an event to the run's log. A repeated key within a run adds nothing, and returns the data of the first event. */
  tell: Store['addRunEvent']
  /** Adds several at once. Returns the data of the last one if it was known. */
  tellAll: Store['addRunEvents']
  /** Returns the earlier offerings, jobs and proposals that a message may refer to. */
  recall(runId: string, run?: ClaimedRun): Promise<Recalled>
  /** What a model sees of the conversation besides the newest message. */
  readTalk(runId: string, run?: Run): Promise<TurnTalk>
  /** The files that a message of the run names and its user may read. Others are left out. */
  readFiles(runId: string, links: readonly FileLink[]): Promise<GivenFile[]>
  /** The files of earlier messages and results of the conversation, newest first. */
  recallFiles(runId: string): Promise<GivenFile[]>
  /** Carries out an act that is no hire, once per turn, and returns an answer based on database rows. */
  respond(turn: Turn): Promise<string>
  /** Describes offerings in words. */
  describeOffers(choices: Choice[]): Promise<string>
  /** Returns in words how long ago an agent was online. */
  tellAlive(agentId: AgentId): Promise<string>
  /** Returns a sentence that nothing was hired or paid if the conversation's rows confirm that; otherwise an empty text. */
  unpaid(runId: string): Promise<string>
  /** Starts the first of the waiting tasks in a new run, once. */
  startNext(runId: string, tasks: string[]): Promise<void>
  /** Returns listings that anyone may hire, best first, with terms from our own database. */
  findListings(want: Want, user?: Address): Promise<Candidate[]>
  /** Names checked resources of other services that fit, with what to say to buy one; absent where none are read. */
  nameOutside?: (want: Pick<Want, 'text' | 'chainId' | 'maxPrice'>) => Promise<string>
  /** Says which offering of an agent that the user blocked fits best, and how to take the block back; empty if none does. */
  nameBlocked?: (want: Pick<Want, 'text' | 'chainId' | 'maxPrice'>, user?: Address) => Promise<string>
  /** Agents that the user of the run blocked are as if they offered nothing. */
  readListing(agentId: AgentId, offeringId: string, user?: Address): Promise<Listing | undefined>
  /** Writes a proposal with terms from our own database. */
  writeProposal(
    of: {
      listing: Listing
      coverage?: number
      input: string
      reason: string
      others: Candidate[]
      /** The user's wishes for the deliverable, in the user's own words. */
      wishes?: string[]
      /**
       * The run of the proposal. `isAsked`: the user was asked before in this run. `isConcluded`: the user's own words do not
       * say all of it. A mandate covers neither.
       */
      run?: { id: string; isAsked: boolean; isConcluded?: boolean | undefined }
      /** Phrases of the user's messages that the input does not contain. */
      leftOut?: string[]
    },
    run?: Run,
  ): Promise<Proposal>
  /** Returns whether the user's hire sentence already agrees to these terms, and records the consent. */
  agreeByOrder(runId: string, proposal: Proposal, run?: Run): Promise<boolean>
  /** Records the user's words as consent to these terms; false when they cannot be a consent. */
  agreeByWords(runId: string, of: { interruptId: string; digest: string }, run?: ClaimedRun): Promise<boolean>
  /** Writes and stores the plan of a run, with terms from our own database. */
  writePlan(
    runId: string,
    /** `most`: the most USDC for all steps that the user wants to pay, as decimal text. */
    of: { steps: PlannedStep[]; unplanned: string[]; isAsked: boolean; most?: string | undefined },
  ): Promise<Plan>
  /** Starts the plan that a run proposed, once; returns a refusal with its reason otherwise. */
  agreePlan(
    runId: string,
    digest: string,
  ): Promise<{ refusal: 'changed' | 'not-covered' | 'insufficient-funds'; words: string } | undefined>
  /** Ends the plan of a run that has no yes. */
  declinePlan(runId: string): Promise<unknown>
  /** Starts the steps of a plan that can start, leaves out those that cannot, and tells whether all are over. */
  advancePlan(runId: string): Promise<{ isOver: boolean; seen: string; words: string }>
  /** The plan of a run that has its yes. */
  agreedPlan(runId: string): Promise<Plan | undefined>
  /** The states of the steps of a plan, as `advancePlan` saw them. */
  seePlan(runId: string): Promise<string>
  /** The terms of the run of a step, with the results of earlier ones; undefined where one is missing. */
  readStep(runId: string): Promise<{ proposal: Proposal } | { purchase: PurchaseProposal } | undefined>
  /** The bill of a plan, and what came of each step. */
  describePlan(runId: string): Promise<{ words: string; total: string; paid: string; refunded: string }>
  /** Returns the user's reply to an interrupt; undefined until there is one. */
  readInput(runId: string, interruptId: string): Promise<RunInput | undefined>
  /** Opens the job of a run and its escrow, once; returns a refusal with its reason otherwise. */
  openJob(
    runId: string,
    proposal: Proposal,
    run?: Run,
  ): Promise<Job | { refusal: 'offering-changed' | 'not-covered' | 'insufficient-funds' | 'over-limit'; words: string }>
  /**
   * Asks a resource for its price and proposes to pay it. Otherwise it returns a refusal, or what the resource gave for nothing.
   * `isAsked`: the user was asked before in this run, so a mandate no longer covers the purchase. `id`: that of a plan's step.
   */
  quotePurchase(
    runId: string,
    of: { resource: WantedResource; chainId: number; maxPrice: string | undefined; isAsked: boolean; id?: string },
  ): Promise<{ proposal: PurchaseProposal; isAgreed: boolean } | { refusal: string } | { content: string }>
  /** Starts the payment of the purchase that a run proposed, once; returns a refusal with its reason otherwise. */
  agreePurchase(
    runId: string,
    digest: string,
  ): Promise<{ id: string } | { refusal: 'changed' | 'not-covered' | 'refused'; words: string }>
  /** The purchase that a run proposed or pays. */
  readPurchase(runId: string): Promise<Pick<Purchase, 'state' | 'status' | 'reason' | 'agreedAt'> | undefined>
  /** Removes the proposed purchase of a run whose user declined it. */
  declinePurchase(runId: string): Promise<unknown>
  /** Describes how a purchase ended: the answer, the amount and the transaction. */
  describePurchase(runId: string): Promise<string>
  readJob(jobId: string): Promise<Job | undefined>
  /** Judges the job's deliverable. The first verdict on a deliverable is kept. */
  judge(jobId: string, asking: Asking, job?: Job): Promise<Verdict | undefined>
  tellVerdict(jobId: string, verdict: Verdict, job?: Job): Promise<void>
  acceptDeliverable(jobId: string, job?: Job): Promise<void>
  /** Returns the job to its agent for another attempt; false when its deadline or the number of attempts forbids that. */
  reviseDeliverable(jobId: string, verdict: Judged): Promise<boolean>
  rejectDeliverable(jobId: string, verdict: Judged): Promise<void>
  /** Describes how the job ended: the amount, the transaction and where the money is. */
  describeEnd(job: Job): Promise<string>
}
