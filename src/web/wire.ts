import type { Proposal } from '../domain/proposal.ts'
import type { RunEventKind } from '../domain/runEvent.ts'

// What the page reads of the service's answers; the service's own schemas are at /openapi.json.

export type RunEvent = {
  run_id: string
  seq: number
  type: RunEventKind
  summary_text: string
  data: Partial<EventDetails>
  timestamp: string
}

/** The members of an event's data that the page shows. */
export type EventDetails = {
  role: 'user' | 'agent'
  questions: Question[]
  offering: string
  proposal: Proposal
  job_id: string
  to: string
  attempt: number
  reason: string
  step: string
  hash: string
  success: boolean
  pass: boolean
  errors: string[]
}

export type Question = { field: string; words: string }

export type Run = {
  run_id: string
  conversation_id: string
  chain_id: number
  task: string
  state: 'working' | 'awaiting-input' | 'awaiting-confirmation' | 'awaiting-job' | 'completed' | 'failed'
  content: string
  proposal?: Proposal
  job?: { job_id: string; state: string; agent_id: string; amount: string; deliverable: string; reason: string }
  created_at: string
}

export type Payment = {
  type: 'escrow' | 'payout' | 'fee' | 'refund'
  amount: string
  payer: string
  payee: string
  network: string
  transaction: string
  timestamp: string
}

export type Conversation = { conversation_id: string; last_message: string; message_count: number; updated_at: string }
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
  needs: { field: string; type: string; description: string; required: boolean }[]
}

export type Wallet = { ethereum: string; balances: { chain_id: number; usdc: string }[] }
