import { z } from 'zod'
import { toShownDigest } from '../consent/digest.ts'
import type { Offer } from '../consent/offer.ts'
import { clockTime } from '../durations.ts'
import { type Plan, plan } from '../plans/plan.ts'
import { toPlanDeed, toPlanReminder, toPlanText } from '../plans/planText.ts'
import { type Proposal, proposal } from '../runs/proposal.ts'
import { toHireText, toMandateText, toProposalText, toStillOpen } from '../runs/proposalText.ts'
import { type PurchaseProposal, purchaseProposal, toSum } from '../runs/purchaseTerms.ts'
import { toQuotable } from '../text/quotableText.ts'
import { permit2Address } from './x402.ts'

export type OpenTerms = PurchaseProposal | Proposal

export const proposedTerms = z.union([purchaseProposal, plan, proposal])
export type ProposedTerms = z.infer<typeof proposedTerms>

export const isHire = (terms: ProposedTerms | undefined): terms is Proposal => terms !== undefined && !('kind' in terms)

export const isPlan = (terms: ProposedTerms | undefined): terms is Plan =>
  terms !== undefined && 'kind' in terms && terms.kind === 'plan'

export const toOffer = (terms: ProposedTerms): Offer => {
  const { total, digest } = terms
  if (isPlan(terms)) return { names: [], total, digest }
  if (!isHire(terms)) return { names: [terms.url, terms.payee], total, digest }
  const { agentName, agentHandle, agentId, offeringName, tag } = terms
  return { names: [agentName, agentHandle, agentId, offeringName, tag], total, digest }
}

const urlChars = 300

export const toPurchaseText = (it: PurchaseProposal): string =>
  [
    `I propose to pay for ${it.method} ${toQuotable(it.url, urlChars)}.`,
    `  You pay    ${toSum(it)} USDC from your wallet ${it.payer}, without escrow: an answer that you do not like stays paid`,
    `  Payee      ${it.payee}`,
    `  Token      USDC ${it.asset} on chain ${it.chainId}`,
    '  You get    its answer, up to 8 MiB within a minute',
    ...(it.approves
      ? [`  Approval   your wallet first lets Permit2 (${permit2Address}) move ${it.total} USDC; the market pays the gas`]
      : []),
    ...(it.bodyHash ? [`  It gets    your JSON (SHA-256 ${it.bodyHash})`] : []),
    ...(it.description ? [`  It says    ${it.description}`] : []),
    ...(it.outside ? [`  Listed     ${it.outside}`] : []),
    ...(it.mandate ? [`  Mandate    ${toMandateText(it.mandate)}`] : []),
    it.mandate?.covers
      ? `Terms ${toShownDigest(it.digest)}.`
      : `Terms ${toShownDigest(it.digest)}, open until ${clockTime(it.lapsesAt)}. ` +
        'Say yes to pay, no to leave it, or tell me another limit or address.',
  ].join('\n')

export const toTermsText = (terms: ProposedTerms): string =>
  isPlan(terms) ? toPlanText(terms) : isHire(terms) ? toProposalText(terms) : toPurchaseText(terms)

/** What a yes to open terms does, as in "Shall I pay 0.1 USDC for https://…?". */
export const toDeed = (terms: ProposedTerms): string => {
  if (isPlan(terms)) return toPlanDeed(terms)
  return isHire(terms) ? toHireText(terms) : `pay ${toSum(terms)} USDC for ${toQuotable(terms.url, urlChars)}`
}

/** Reminds the user of open terms, after an answer to something else. */
export const toTermsReminder = (terms: ProposedTerms): string => {
  if (isPlan(terms)) return toPlanReminder(terms)
  return isHire(terms)
    ? toStillOpen(terms)
    : `The proposal is still open: ${toSum(terms)} USDC for ${toQuotable(terms.url, urlChars)}, ` +
        `terms ${toShownDigest(terms.digest)}. Say yes to pay, or no to leave it.`
}
