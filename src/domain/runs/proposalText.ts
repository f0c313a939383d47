import { toReputationText } from '../agents/reputation.ts'
import { toShownDigest } from '../consent/digest.ts'
import { clockTime, minuteMs } from '../durations.ts'
import { withFileNames } from '../files/namedFile.ts'
import { jsonObject, parseJson } from '../json.ts'
import { limits } from '../limits.ts'
import { toUsageText } from '../offerings/usagePrice.ts'
import { toLabel, toLabelled } from '../text/labelled.ts'
import { quoteName } from '../text/quotableText.ts'
import type { MandateView, Proposal } from './proposal.ts'

const minutes = (n: number) => (n === 1 ? '1 minute' : `${n} minutes`)

/** The input as labelled values; plain text as it is. */
const toInputLines = ({ input, files }: Proposal): string =>
  withFileNames(toLabelled(input), files).split('\n').join('\n             ')

// Names come from strangers. On one line, and without the mark of a hire tag, they cannot imitate a line of the proposal.

export const toMandateText = ({ left, max_per_period, period, why }: MandateView) =>
  `${left} of ${max_per_period} USDC a ${period} left; ${why}`

/** What a yes to a proposal does, as in "Shall I hire Ada for 0.1 USDC?". */
export const toHireText = (it: Proposal): string =>
  `hire ${quoteName(it.agentName)} for ${it.usage ? 'at most ' : ''}${it.total} USDC`

/** Reminds the user that a proposal is still open, after an answer to something else. */
export const toStillOpen = (it: Proposal): string =>
  `The proposal is still open: “${quoteName(it.offeringName)}” by ${quoteName(it.agentName)} (${it.agentHandle}) for ` +
  `${it.usage ? 'at most ' : ''}${it.total} USDC, terms ${toShownDigest(it.digest)}. ` +
  'Say yes to hire, no to leave it, or tell me what to change.'

/** Warns about an agent that never connected, because it may never answer. */
const toSeen = ({ seen }: Proposal) => {
  if (!seen) return ''
  return seen.startsWith('has never')
    ? '; this agent has never connected and may not answer'
    : `; the agent is ${seen}`.replace('is last', 'was last')
}

/** The time from consent to a deadline in minutes, rounded up. Deadlines are counted from the consent. */
const spanOf = ({ timeline, lapsesAt }: Proposal, end: keyof Proposal['timeline']) =>
  Math.ceil((timeline[end] - (lapsesAt - limits.proposalMs)) / minuteMs)

const moment = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/
/** A value that was made, by its name; of a time also the zone that was taken. */
const toMade = (name: string, input: string): string => {
  const [value] = Object.entries(jsonObject.catch({}).parse(parseJson(input))).flatMap(([key, it]) => (key === name ? [it] : []))
  const [, zone] = (typeof value === 'string' ? moment.exec(value) : undefined) ?? []
  return `${quoteName(toLabel(name))}${zone === undefined ? '' : ` (UTC${zone.replace('Z', '')})`}`
}

/** What the user did not say in these words, and what the agent does not get of what was said. */
const toHonestLines = ({ made, left_out, input }: Proposal): string[] => [
  ...(made.length > 0 ? [`I made this from your words: ${made.map(it => toMade(it, input)).join(', ')}.`] : []),
  ...(left_out.length > 0 ? [`Left out: ${left_out.map(quoteName).join('; ')}. The agent does not get this.`] : []),
]

const toPayLine = ({ total, price, fee, gas, usage }: Proposal): string =>
  usage
    ? `  You pay    at most ${total} USDC in escrow: ${toUsageText(usage)}; the unused part comes back with the payment ` +
      `(platform fee at most ${fee} out of it, gas paid by the ${gas.payer})`
    : `  You pay    ${total} USDC in escrow (price ${price}, platform fee ${fee} out of it, gas paid by the ${gas.payer})`

/** A proposal for people. Every figure in it comes from the typed object. */
export const toProposalText = (it: Proposal): string =>
  [
    `I propose to hire ${quoteName(it.agentName)} (${it.agentHandle}) for "${quoteName(it.offeringName)}"${toSeen(it)}.`,
    toPayLine(it),
    `  It gets    ${toInputLines(it) || 'nothing but the order'}`,
    `  You get    ${it.youGet.map(field => quoteName(field.field)).join(', ') || 'one text'}`,
    `  When       within ${minutes(spanOf(it, 'deliveredBy'))} of your yes; ` +
      `else your money is back within ${minutes(spanOf(it, 'refundedBy'))} of it`,
    `  Judged by  ${it.judgedBy.map(quoteName).join('; ')}`,
    ...(it.reputation ? [`  Reputation ${toReputationText(it.reputation)}`] : []),
    ...it.alternatives.map(
      other => `  Instead    ${quoteName(other.offeringName)} by ${other.agentHandle} for ${other.price} USDC (${other.why})`,
    ),
    ...(it.mandate ? [`  Mandate    ${toMandateText(it.mandate)}`] : []),
    ...(it.reason ? [`  Why        ${quoteName(it.reason)}`] : []),
    ...toHonestLines(it),
    it.tag,
    it.mandate?.covers
      ? `Terms ${toShownDigest(it.digest)}.`
      : `Terms ${toShownDigest(it.digest)}, open until ${clockTime(it.lapsesAt)}. ` +
        'Say yes to hire, no to leave it, or tell me what to change.',
  ].join('\n')
