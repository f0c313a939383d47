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
import type { Terms } from '../domain/proposal.ts'
import type { OpenTerms } from '../domain/purchaseProposal.ts'
import type { Question } from '../domain/question.ts'

export type WalletRole = 'user' | 'agent' | 'evaluator' | 'treasury' | 'deployer'
/**
 * A custodial wallet. `owner` is the user's wallet for role user, `<chain>:<handle>` for role agent, '' for the platform's own.
 */
export type Wallet = { address: Address; role: WalletRole; owner: string; sealedKey: string }

export type Agent = {
  /** `<chain>:<handle>`, which stays the same when the identity is minted. */
  key: string
  /** Full id; undefined until the identity is minted on chain. */
  id: AgentId | undefined
  chainId: number
  handle: string
  owner: Address
  /** Custodial wallet that receives payments and submits deliverables. */
  wallet: Address
  name: string
  description: string
  /** Undefined for agents that poll. */
  endpointUrl: string | undefined
  viaGateway: boolean
  /** The registration as received, returned unchanged. */
  card: JsonObject
  skills: JsonObject[]
  /** Grows with each change by the owner. */
  version: number
  createdAt: number
  updatedAt: number
}

/** An agent as shown in lists. */
export type ListedAgent = Omit<Agent, 'card'>

export type RunState = 'working' | 'awaiting-input' | 'awaiting-confirmation' | 'awaiting-job' | 'completed' | 'failed'

export type Run = {
  id: string
  conversationId: string
  /** The user's own wallet, from the token. */
  user: Address
  chainId: number
  task: string
  /** The agent that the user called directly, if any. */
  target: AgentId | undefined
  state: RunState
  /** The graph's id of the interrupt that waits for an answer. */
  interruptId: string | undefined
  /** Text shown to the user: a question, a proposal or a result. */
  answer: string
  /** The open questions, one per field, while the run waits for them. */
  questions: Question[] | undefined
  /** The proposed hire or purchase, while the run waits for the yes or no. */
  proposal: OpenTerms | undefined
  jobId: string | undefined
  /** The recognised intent of the newest message; undefined until it is recognised, and in old runs. */
  act: TurnAct | undefined
  /**
   * The offerings that the user may choose from while the run waits for a choice, and afterwards those that its answer named.
   */
  choices: Choice[] | undefined
  /** Further tasks of the user's message that have not been started. */
  nextTasks: NextTask[] | undefined
  /** The run whose end started this one automatically. */
  follows: string | undefined
  /** Sequence number of the last event in its log; 0 before the first. */
  lastSeq: number
  createdAt: number
  updatedAt: number
  /** When the retention time removed its texts. */
  prunedAt: number | undefined
}

/** A user's answer to an interrupt of a run. The first answer is kept. */
export type RunInput =
  | { kind: 'answer'; text: string }
  /**
   * A message that the butler interprets. `digest` names the terms proposed when it was sent, else empty. `mayAgree` is true
   * when the message may be a yes.
   */
  | { kind: 'said'; text: string; digest: string; isLapsed: boolean; mayAgree: boolean }
  /** The user's order that started the run. The reward is decimal USDC. */
  | { kind: 'order'; agent: string; service: string; reward: string; text: string }
  | { kind: 'decision'; decision: 'yes' | 'no' | 'change' | 'lapsed' | 'replaced'; digest: string; text: string }

export type Job = {
  id: string
  runId: string
  agentId: AgentId
  agentWallet: Address
  chainId: number
  user: Address
  /** The client's custodial wallet, which pays. */
  userWallet: Address
  terms: Terms
  /** The mandate of the hire; undefined when the user consented directly. */
  mandateId: string | undefined
  offering: Offering
  /** The criteria of the deliverable, fixed at the hire; empty in old jobs. */
  checklist: Criterion[]
  budget: Atomic
  fee: Atomic
  deadlines: Deadlines
  state: JobState
  chainJobId: bigint | undefined
  attempt: number
  /** Number of failures reported without a credential of the agent. */
  requeues: number
  leaseUntil: number | undefined
  deliverable: string | undefined
  /** The verdict of the last judged delivery. */
  verdict: Verdict | undefined
  /** A deliverable that passed its checks and was sent back for a wish. It is paid if no better one follows. */
  kept: { deliverable: string; verdict: Verdict } | undefined
  /** How the job was judged; undefined before that, or when it ended for a reason outside the agent's control. */
  outcome: JobOutcome | undefined
  /** The user's objection to an accepted deliverable; otherwise empty. */
  dispute: string
  /** Why it ended or was sent back, as text for the user. */
  reason: string
  createdAt: number
  updatedAt: number
}

/** A hire as shown in lists; a long deliverable is omitted. */
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

/** Fields that a move may write besides the state. */
export type JobPatch = Partial<Pick<Job, 'chainJobId' | 'deliverable' | 'reason'>> & {
  /** The chain is being read again from its start: no event is added to the run's log, and no run is woken. */
  isReread?: boolean
}

/** A contract call or a plain transfer, without a nonce. */
export type Call = { to: Address | undefined; data: Hex; value: bigint; gas: bigint }

export type IntentState = 'waiting' | 'sent' | 'confirmed' | 'reverted'
/** A decided effect on a chain. Its key is unique: `job:<id>:hire`. */
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
  /** Hash of the mined transaction, or of the last one sent. */
  hash: Hex | undefined
  /** Why it was abandoned; otherwise empty. */
  reason: string
}
export type NewIntent = Pick<Intent, 'key' | 'chainId' | 'sender' | 'call' | 'after'>

/** A signed transaction, stored before it is broadcast. */
export type SignedTransaction = { hash: Hex; raw: Hex; nonce: number }

/** A sent intent, all transactions with its nonce, oldest first, and the age of the last one in ms. */
export type Flight = { intent: Intent; transactions: SignedTransaction[]; waitedMs: number }
/** The block of a mined transaction, and its index in it. `blockTime` in epoch ms. */
export type Mined = { blockNumber: bigint; blockTime: number; index: number }

/** One leg of a double entry. The amounts of a posting sum to zero. */
export type LedgerEntry = { account: string; amount: Atomic }
export type Posting = {
  /** Unique: a posting with the same key is stored once. */
  key: string
  chainId: number
  jobId: string | undefined
  runId: string | undefined
  txHash: Hex | undefined
  entries: LedgerEntry[]
}
export type LedgerRow = LedgerEntry & Omit<Posting, 'entries'> & { at: number }

/**
 * Why a client's wallet signs: the run with the user's consent, the digest of the terms, and the amount that leaves the wallet.
 */
export type SigningReference = { runId: string; digest: string; amount: Atomic }

/** The record of a signature, written before it is made. It contains neither the key nor the signature. */
export type NewSignature = {
  wallet: Address
  role: WalletRole
  chainId: number
  kind: 'transaction' | 'typed-data' | 'text'
  /** The called contract, or the one that verifies the typed data; undefined for texts and deployments. */
  contract: Address | undefined
  /** Function selector, or the primary type of typed data. */
  selector: string
  /** Native coin of a transaction in wei, or the authorized amount in atomic USDC. */
  amount: Atomic
  reference: SigningReference | undefined
  /** Hash of the signed bytes. */
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
