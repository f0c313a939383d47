import type { Proposal } from '../../domain/runs/proposal.ts'
import type { PurchaseProposal } from '../../domain/runs/purchaseTerms.ts'
import type { Question } from '../../domain/runs/question.ts'
import type { AgentRecord, OfferingRecord } from '../../records/agent.ts'
import type { RunEventRecord } from '../../records/run.ts'
import type { WholeServiceRecord } from '../../records/service.ts'

// Members that the API describes only as JSON, with the shape that the page reads from them.

/** The members of an event's data that the page displays. */
export type EventDetails = {
  role: 'user' | 'agent'
  /** What the butler did with the message. */
  act: string
  /** What a yes to an answer sets. */
  offers: 'mandate'
  questions: Question[]
  offering: string
  /** The steps of a plan that lacks values. */
  steps: { number: number; offering_name: string; price: string }[]
  proposal: Proposal
  purchase: PurchaseProposal
  /** What the butler says with a proposal. */
  notice: string
  /** ISO 639 code of the language of the labels of a proposal. */
  language: string
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
  /** Present in `payment.settled` of a usage price: what of the price was used, in USDC. */
  used: string
}
export type RunEvent = Omit<RunEventRecord, 'data'> & { data: Partial<EventDetails> }

export type Schema = {
  required?: string[]
  properties?: Record<
    string,
    { type?: string | string[]; description?: unknown; enum?: unknown; format?: unknown; items?: unknown }
  >
}
type WithSchemas<T> = Omit<T, 'requirement' | 'deliverable'> & { requirement: Schema; deliverable: Schema }
export type Offering = WithSchemas<Omit<OfferingRecord, 'type' | 'price' | 'required_funds'>>
export type WholeService = WithSchemas<WholeServiceRecord>
export type Agent = Omit<AgentRecord, 'job_offerings'> & { job_offerings: Offering[] }
