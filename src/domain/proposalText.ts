import type { Proposal } from './proposal.ts'

const minutes = (n: number) => (n === 1 ? '1 minute' : `${n} minutes`)
const clockTime = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** A proposal for people. Every figure in it comes from the typed object. */
export const toProposalText = (it: Proposal): string =>
  [
    `I propose to hire ${it.agentName} (${it.agentHandle}) for "${it.offeringName}".`,
    `  You pay    ${it.total} USDC in escrow (price ${it.price}, platform fee ${it.fee} out of it, gas paid by the platform)`,
    `  It gets    ${it.input}`,
    `  You get    ${it.youGet.map(field => field.field).join(', ') || 'one text'}`,
    `  When       within ${minutes(it.slaMinutes)}; by ${clockTime(it.timeline.deliveredBy)}, or your money is back by ${clockTime(it.timeline.refundedBy)}`,
    `  Judged by  ${it.judgedBy.join('; ')}`,
    ...it.alternatives.map(
      other => `  Instead    ${other.offeringName} by ${other.agentHandle} for ${other.price} USDC (${other.why})`,
    ),
    `  Why        ${it.reason}`,
    it.tag,
    `Terms ${it.digest}, open until ${clockTime(it.lapsesAt)}. Say yes to hire, no to leave it, or tell me what to change.`,
  ].join('\n')
