import type { Criterion, Verdict } from '../domain/acceptance.ts'
import type { TurnAct } from '../domain/acts.ts'
import type { AgentId } from '../domain/agentId.ts'
import type { Choice } from '../domain/choice.ts'
import type { Deadlines } from '../domain/deadlines.ts'
import type { Address, Hex } from '../domain/hex.ts'
import type { JobOutcome, JobState } from '../domain/job.ts'
import type { Json, JsonObject } from '../domain/json.ts'
import type { Atomic } from '../domain/money.ts'
import type { NextTask } from '../domain/nextTask.ts'
import type { Offering } from '../domain/offering.ts'
import type { Proposal, Terms } from '../domain/proposal.ts'
import type { Question } from '../domain/question.ts'

export type WalletRole = 'user' | 'agent' | 'evaluator' | 'treasury' | 'deployer'
/** A custodial wallet. `owner` is the user's wallet for role user, `<chain>:<handle>` for role agent, '' for the platform's own. */
export type Wallet = { address: Address; role: WalletRole; owner: string; sealedKey: string }

export type Agent = {
  /** `<chain>:<handle>`: the key before and after the identity is minted. */
  key: string
  /** Full id; undefined until the identity is minted on chain. */
  id: AgentId | undefined
  chainId: number
  handle: string
  owner: Address
  /** Custodial wallet that is paid and submits. */
  wallet: Address
  name: string
  description: string
  /** Undefined means POLLING. */
  endpointUrl: string | undefined
  viaGateway: boolean
  /** The registration as it arrived, for echo. */
  card: JsonObject
  skills: JsonObject[]
  /** Grows with each change of what its owner says of it. */
  version: number
  createdAt: number
  updatedAt: number
}

/** An agent as a list shows it. */
export type ListedAgent = Omit<Agent, 'card'>

export type RunState = 'working' | 'awaiting-input' | 'awaiting-confirmation' | 'awaiting-job' | 'completed' | 'failed'

export type Run = {
  id: string
  conversationId: string
  /** The user's own wallet, from the token. */
  user: Address
  chainId: number
  task: string
  /** The agent that is to do it, when its user called one directly. */
  target: AgentId | undefined
  state: RunState
  /** The interrupt that waits for an answer, as the graph names it. */
  interruptId: string | undefined
  /** What the user reads next: a question, a proposal's text, a result. */
  answer: string
  /** What it was asked, one field each, while it waits for that. */
  questions: Question[] | undefined
  proposal: Proposal | undefined
  jobId: string | undefined
  /** What its newest turn was taken as; undefined before that was read, and in runs of before. */
  act: TurnAct | undefined
  /** What the user can pick from while it waits for that; afterwards, what its answer was about. */
  choices: Choice[] | undefined
  /** What its user said besides, still to come. */
  nextTasks: NextTask[] | undefined
  /** The run after whose end this one began by itself. */
  follows: string | undefined
  /** Sequence of the last event in its log; 0 before the first. */
  lastSeq: number
  createdAt: number
  updatedAt: number
}

/** What a user said to an interrupt of a run. The first answer to an interrupt stands. */
export type RunInput =
  | { kind: 'answer'; text: string }
  /**
   * Words that are read by the butler. `digest` of the terms that were proposed when they were said, else empty; `mayAgree` when
   * they may be a yes.
   */
  | { kind: 'said'; text: string; digest: string; isLapsed: boolean; mayAgree: boolean }
  /** The user's own hire sentence with which the run began. The reward is decimal USDC. */
  | { kind: 'order'; agent: string; service: string; reward: string; text: string }
  | { kind: 'decision'; decision: 'yes' | 'no' | 'change' | 'lapsed'; digest: string; text: string }

export type Job = {
  id: string
  runId: string
  agentId: AgentId
  agentWallet: Address
  chainId: number
  user: Address
  /** The custodial proxy wallet that pays. */
  userWallet: Address
  terms: Terms
  /** The mandate that it was hired under; undefined when its user said yes. */
  mandateId: string | undefined
  offering: Offering
  /** What the deliverable is judged by, fixed at the hire; empty in jobs of before. */
  checklist: Criterion[]
  budget: Atomic
  fee: Atomic
  deadlines: Deadlines
  state: JobState
  chainJobId: bigint | undefined
  attempt: number
  /** How often a failure was reported without a credential of the agent. */
  requeues: number
  leaseUntil: number | undefined
  deliverable: string | undefined
  /** What was found of the last delivery that was judged. */
  verdict: Verdict | undefined
  /** What passed the checks of code before it was sent back to meet a wish: paid when nothing takes its place. */
  kept: { deliverable: string; verdict: Verdict } | undefined
  /** How it was judged; undefined before, and after an end that says nothing about its agent. */
  outcome: JobOutcome | undefined
  /** What its user says against an accepted deliverable; else empty. */
  dispute: string
  /** Why it ended or was sent back, in words for the user. */
  reason: string
  createdAt: number
  updatedAt: number
}

/** A hire as a list shows it; a long deliverable is left out. */
export type ListedJob = Pick<
  Job,
  | 'id'
  | 'runId'
  | 'agentId'
  | 'chainId'
  | 'user'
  | 'terms'
  | 'deadlines'
  | 'leaseUntil'
  | 'mandateId'
  | 'verdict'
  | 'state'
  | 'chainJobId'
  | 'deliverable'
  | 'reason'
  | 'createdAt'
  | 'updatedAt'
>

/** What a move may write besides the state. */
export type JobPatch = Partial<Pick<Job, 'chainJobId' | 'deliverable' | 'reason'>> & {
  /** The chain is read again from its beginning: the run was told when it happened, and nobody is woken. */
  isReread?: boolean
}

/** A call to a contract or a plain transfer, before it has a nonce. */
export type Call = { to: Address | undefined; data: Hex; value: bigint; gas: bigint }

export type IntentState = 'waiting' | 'sent' | 'confirmed' | 'reverted'
/** An effect on chain that was decided. Its key is unique for ever: `job:<id>:hire`. */
export type Intent = {
  seq: number
  key: string
  chainId: number
  sender: Address
  call: Call
  /** Key of the intent that must be confirmed first. */
  after: string | undefined
  state: IntentState
  nonce: number | undefined
  /** Hash of the transaction that was mined, or of the last one sent. */
  hash: Hex | undefined
  /** Why it will never be sent, when it was given up; else empty. */
  reason: string
}
export type NewIntent = Pick<Intent, 'key' | 'chainId' | 'sender' | 'call' | 'after'>

/** Signed bytes, stored before they are sent. */
export type SignedTransaction = { hash: Hex; raw: Hex; nonce: number }

/** An intent that was sent, every hash sent for it under its nonce, oldest first, and for how long the last one has waited. */
export type Flight = { intent: Intent; transactions: SignedTransaction[]; waitedMs: number }
/** Where a transaction was mined. */
export type Mined = { blockNumber: bigint; blockTime: number; index: number }

/** One leg of a double entry. The amounts of a posting add up to zero. */
export type LedgerEntry = { account: string; amount: Atomic }
export type Posting = {
  /** Unique: the same posting twice is taken once. */
  key: string
  chainId: number
  jobId: string | undefined
  runId: string | undefined
  txHash: Hex | undefined
  entries: LedgerEntry[]
}
export type LedgerRow = LedgerEntry & Omit<Posting, 'entries'> & { at: number }

/** Why a client's wallet signs: the run whose user said yes, the digest of the terms, and the amount that leaves the wallet. */
export type SigningReference = { runId: string; digest: string; amount: Atomic }

/** One signature, as it is written down before it is made. Neither key nor signature is kept. */
export type NewSignature = {
  wallet: Address
  role: WalletRole
  chainId: number
  kind: 'transaction' | 'typed-data' | 'text'
  /** What is called, or the contract that checks the typed data; undefined for texts and deployments. */
  contract: Address | undefined
  /** Function selector, or the primary type of typed data. */
  selector: string
  /** Native coin of a transaction, or the amount that is authorized. */
  amount: Atomic
  reference: SigningReference | undefined
  /** Hash of the bytes that are signed. */
  digest: Hex
}
export type SignatureRow = NewSignature & { seq: number; at: number }

export type Message = {
  role: 'user' | 'agent'
  content: string
  runId: string | undefined
  act?: TurnAct | undefined
  at: number
}

export type OutboxRow = { key: string; topic: string; payload: Json; attempts: number }
