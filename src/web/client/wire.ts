import type { Finding } from '../../domain/acceptance.ts'
import type { Proposal } from '../../domain/proposal.ts'
import type { PurchaseProposal } from '../../domain/purchaseProposal.ts'
import type { Question } from '../../domain/question.ts'
import type { Reputation } from '../../domain/reputation.ts'
import type { RunEventKind } from '../../domain/runEvent.ts'

// The parts of the service's responses that the page uses. The complete schemas are at /openapi.json.

export type RunEvent = {
  run_id: string
  seq: number
  type: RunEventKind
  summary_text: string
  data: Partial<EventDetails>
  timestamp: string
}

/** The members of an event's data that the page displays. */
export type EventDetails = {
  role: 'user' | 'agent'
  questions: Question[]
  offering: string
  proposal: Proposal
  purchase: PurchaseProposal
  /** What the butler says with a proposal. */
  notice: string
  /** Present in `confirmed` of a purchase. */
  payee: string
  job_id: string
  mandate_id: string
  to: string
  attempt: number
  reason: string
  step: string
  hash: string
  success: boolean
}

export type Deadlines = { submit_by: string; evaluate_by: string; refunded_by: string; lease_until?: string }

export type Run = {
  run_id: string
  conversation_id: string
  chain_id: number
  task: string
  state: 'working' | 'awaiting-input' | 'awaiting-confirmation' | 'awaiting-job' | 'completed' | 'failed'
  content: string
  /** The act of the user's newest message. */
  act?: string
  questions?: Question[]
  /** Offerings from which the user picks one, while the run waits for that. */
  choices?: Choice[]
  /** Further tasks in the message, proposed one after the other. */
  next_tasks?: NextTask[]
  proposal?: Proposal
  purchase?: PurchaseProposal
  job?: {
    job_id: string
    state: string
    agent_id: string
    amount: string
    /** Empty if the deliverable is long and the request did not ask for it. */
    deliverable: string
    deliverable_chars: number
    reason: string
    mandate_id?: string
    deadlines: Deadlines
  }
  verdict?: { pass: boolean; criteria: Finding[] }
  created_at: string
}

export type Choice = { agent_handle: string; agent_id: string; offering_id: string; name: string; price: string }
export type NextTask = { text: string; run_id?: string; state: string }

export type Payment = {
  type: 'escrow' | 'payout' | 'fee' | 'refund' | 'payment'
  amount: string
  payer: string
  payee: string
  network: string
  transaction: string
  timestamp: string
}

export type Conversation = {
  conversation_id: string
  title: string
  last_message: string
  message_count: number
  updated_at: string
}
export type Message = { role: 'user' | 'agent'; content: string; run_id: string; timestamp: string }

export type Hit = {
  agent_id: string
  agent_handle: string
  agent_name: string
  offering_id: string
  name: string
  description: string
  price: string
  sla_minutes: number
  reputation: Reputation
  tags: string[]
  sample: string
  main: string
  needs: { field: string; type: string; description: string; required: boolean }[]
}

export type Wallet = { ethereum: string; balances: { chain_id: number; usdc: string }[] }

export type Offering = {
  id: string
  name: string
  description: string
  price_v2: { amount: number }
  job_input: string
  job_output: string
  requirement: Schema
  deliverable: Schema
  examples: string[]
  tags: string[]
  sample: string
  main: string
  validation: boolean
  certificate?: { issued_at: string; expires_at: string; cases: number }
  sla_minutes: number
  restricted: boolean
  hide: boolean
  active: boolean
}
export type Schema = {
  required?: string[]
  properties?: Record<string, { type?: string | string[]; description?: unknown; enum?: unknown }>
}

export type Agent = {
  agent_id: string
  handle: string
  name: string
  description: string
  chain_id: number
  owner_id: string
  wallet_address: string
  job_offerings: Offering[]
  created_at: string
  stats: { total_jobs: number; completed_jobs: number; total_revenue: number; success_rate: number }
  verified: boolean
  reputation: Reputation
  health_status?: 'healthy' | 'unhealthy' | 'unknown'
  last_seen?: string
  /** Only present for the caller's own agents. */
  last_push?: { at: string; error: string }
  second_poller_at?: string
}

export type Service = {
  id: string
  name: string
  description: string
  price: string
  provider: string
  agent_id: string
  agent_handle: string
  offering_id: string
  sla_minutes: number
  reputation: Reputation
  examples: string[]
  tags: string[]
  sample: string
  main: string
}
/** An offering read by its id, with its schemas. */
export type WholeService = Service & { requirement: Schema; deliverable: Schema }
export type Services = { data: Service[]; total: number; page: number; tags: { tag: string; count: number }[] }

export type Stats = { agents_online: number; jobs_24h: number; revenue_24h: number; total_services: number }

export type Earned = { from: string; amount: string; token_fees: { amount: string; currency: string } | null }
export type Payout = { amount: number; ts: string; tx_url: string; job_id: string }

export type Ranked = {
  rank: number
  agent_id: string
  handle: string
  name: string
  score: number
  metric: string
  explain?: { reputation: Reputation; explanation: Record<string, unknown>; is_new: boolean }
}

export type Job = {
  job_id: string
  status: string
  description: string
  reward_amount: number
  provider_id: string
  created_at: string
  deadlines?: Deadlines
  escrow: { state: string }
  metadata: { run_id?: string }
}

export type Health = {
  chains: { chain_id: number; block: number; embedded: boolean; explorer?: string; notes: string[] }[]
  model: string
}
export type Butler = {
  agent_id: string
  handle: string
  wallet_address: string
  chain_id: number
  stats: { total_jobs: number; completed_jobs: number; total_spent: number }
  activated_at: string
}

export type Withdrawal = {
  withdrawal_id: string
  chain_id: number
  from: string
  to: string
  amount: string
  /** A symbol, or the address of a token. */
  asset: string
  status: 'pending' | 'done' | 'failed'
  tx_hash: string | null
  created_at: string
}

export type Mandate = {
  mandate_id: string
  chain_id: number
  max_per_job: string
  max_per_period: string
  period: 'day' | 'week' | 'month'
  ask_above: string
  categories: string[]
  expires_at: string
  used: string
  left: string
  revoked_at: string | null
}

export type AgentToken = {
  token: string
  chain_id: number
  name: string
  symbol: string
  reserve_asset: string
  price: string
  supply: string
  circulating: string
  reserve: string
  market_value: string
  fee_bps: number
}

export type Candle = { start: string; open: string; high: string; low: string; close: string; volume: string }

export type TokenQuote = {
  digest: string
  chain_id: number
  symbol: string
  side: 'buy' | 'sell'
  asset: string
  amount_in: string
  expected_out: string
  least_out: string
  fee: string
  deadline: string
}

export type TokenTrade = {
  side: 'buy' | 'sell'
  symbol: string
  asset: string
  status: 'pending' | 'done' | 'failed'
  reason: string
  received: string | null
}

/** A test job that an owner sent to the own agent. */
export type TestRecord = {
  test_id: string
  offering_id: string
  input: string
  state: 'queued' | 'leased' | 'passed' | 'failed' | 'expired'
  picked_up_ms?: number
  answered_ms?: number
  deliverable?: string
  reason: string
  checks: { id: string; words: string; outcome: 'pass' | 'fail' | 'unverifiable'; evidence: string }[]
  passes: number
}
