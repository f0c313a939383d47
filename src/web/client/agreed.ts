import type { Proposal } from '../../domain/runs/proposal.ts'
import type { PurchaseProposal } from '../../domain/runs/purchaseTerms.ts'
import type { OpenTerms } from '../../domain/x402/purchaseProposal.ts'
import type { RunEvent } from './shapes.ts'

export const isPurchase = (terms: OpenTerms): terms is PurchaseProposal => 'kind' in terms

export const termsIn = ({ data }: RunEvent): OpenTerms | undefined => data.proposal ?? data.purchase

export const agreedIn = (events: RunEvent[]): Proposal | undefined => events.findLast(it => it.type === 'proposed')?.data.proposal

export const offeredIn = (events: RunEvent[]): PurchaseProposal | undefined =>
  events.findLast(it => it.type === 'proposed')?.data.purchase

/** Whether a run pays, or paid, for a purchase. */
export const isBuying = (events: RunEvent[]): boolean => events.some(it => it.type === 'confirmed' && it.data.payee !== undefined)
