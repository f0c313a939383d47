import { whyAsk } from '../../domain/consent/plainRequest.ts'
import { type Address, nobody } from '../../domain/hex.ts'
import { hashOf, toChecklist } from '../../domain/jobs/acceptance.ts'
import { deadlines, toRefundedBy } from '../../domain/jobs/deadlines.ts'
import { limits } from '../../domain/limits.ts'
import { formatUsdc, maxDecimals, parseUsdc } from '../../domain/money/money.ts'
import type { Listing } from '../../domain/offerings/offering.ts'
import { toUsageText } from '../../domain/offerings/usagePrice.ts'
import { type Proposal, type Terms, toDigest, toTag } from '../../domain/runs/proposal.ts'
import { fieldsOf } from '../../domain/schemas/schema.ts'
import { madeFields } from '../../language/text/said.ts'
import { languageOf } from '../../language/words/language.ts'
import type { Chain, Run } from '../../ports.ts'
import { describeLiveness, readReputations } from '../agents/reputations.ts'
import { readInputFiles } from '../files/jobFiles.ts'
import { findMandate } from '../mandates/findMandate.ts'
import { chainOf, type Deps } from '../operation.ts'

/** A listing that can be hired, with the share (0–1) of the task's words that it covers. */
type Fitting = { listing: Listing; coverage: number }
type Draft = {
  listing: Listing
  coverage?: number
  input: string
  reason: string
  others: Fitting[]
  /** The user's wishes about the result, quoted literally. */
  wishes?: string[]
  /** The run of the proposal. When its user was asked before, they are asked again even if a mandate covers the hire. */
  run?: { id: string; isAsked: boolean; isConcluded?: boolean | undefined }
  /** Phrases of the user's messages that the input does not contain. */
  leftOut?: string[]
}

/**
 * Writes the proposal for one listing. Price, payee and chain come from the stored offering, never from a model or a listing's
 * text.
 */
export const writeProposal = async (
  deps: Pick<Deps, 'chains' | 'clock' | 'store' | 'gateway'>,
  { listing, coverage = 1, input, reason, others, run, wishes, leftOut = [] }: Draft,
  known?: Run,
): Promise<Proposal> => {
  const chain = chainOf(deps, listing.chainId)
  const price = parseUsdc(listing.price, chain.usdcDecimals)
  if (price === undefined)
    throw new RangeError(`offering ${listing.id} of ${listing.agentId} has a price that chain ${chain.chainId} cannot pay`)
  const checklist = toChecklist(listing.deliverable, wishes)
  const own = known ?? (run && (await deps.store.run(run.id)))
  const saying = run && saidIn(deps, run.id, own)
  const leaving = saying?.then(said => ({ said, ...readSaid(said, { input, leftOut }) }))
  // Asked at once, because a database may be far away.
  const [left, reputationOf, seen, mandate] = await Promise.all([
    leaving,
    readReputations(deps, [listing.agentId]),
    describeLiveness(deps, listing.agentId),
    leaving &&
      run &&
      findMandate(
        deps,
        { ...run, user: own?.user ?? nobody, asks: () => leaving.then(it => it.asks) },
        { listing, amount: price },
      ),
  ])
  const { said, made = [] } = left ?? {}
  const files = await readInputFiles(deps, { schema: listing.requirement, input, user: said?.user })
  const terms = toTerms({ listing, chain, price, input, checklistHash: hashOf(checklist), files })
  const now = deps.clock.now()
  const { submitBy, expiresAt } = deadlines(listing.slaMinutes, now)
  return {
    ...terms,
    agentName: listing.agentName,
    ...(listing.usage && { charged: toUsageText(listing.usage) }),
    youGet: fieldsOf(listing.deliverable).map(({ name, description }) => ({ field: name, description })),
    judgedBy: checklist.map(it => it.words),
    checklist,
    timeline: { deliveredBy: submitBy, refundedBy: toRefundedBy({ expiresAt }) },
    alternatives: toAlternatives(others, { listing, coverage }),
    reputation: reputationOf(listing.agentId),
    seen,
    reason,
    made,
    left_out: leftOut,
    gas: { amount: '0', payer: 'platform' },
    mandate: mandate ?? null,
    tag: toTag(terms),
    digest: toDigest(terms),
    lapsesAt: now + limits.proposalMs,
  }
}

type Agreed = { listing: Listing; chain: Chain; price: bigint } & Pick<Terms, 'input' | 'checklistHash'> & {
    files: NonNullable<Terms['files']>
  }

const toTerms = ({ listing, chain, price, input, checklistHash, files }: Agreed): Terms => {
  const amount = formatUsdc(price, chain.usdcDecimals)
  return {
    chainId: listing.chainId,
    agentId: listing.agentId,
    agentHandle: listing.agentHandle,
    offeringId: listing.id,
    offeringName: listing.name,
    offeringVersion: listing.version,
    input,
    price: amount,
    ...(listing.usage && { usage: listing.usage }),
    fee: formatUsdc((price * BigInt(chain.feeBps)) / 10_000n, chain.usdcDecimals),
    total: amount,
    slaMinutes: listing.slaMinutes,
    checklistHash,
    ...(files.length > 0 && { files }),
  }
}

/** The fields that nobody said, and why the user is asked. */
const readSaid = ({ inConversation, inRun }: Said, { input, leftOut }: { input: string; leftOut: string[] }) => {
  const made = madeFields(input, inConversation)
  return { made, asks: whyAsk({ messages: inRun, isEnglish: inRun.every(it => languageOf(it) === 'en'), made, leftOut }) }
}

type Said = { user: Address; inConversation: string[]; inRun: string[] }

/** What the user wrote in the conversation of a run, and for this run. A task that waited was taken out of an earlier message. */
const saidIn = async ({ store }: Pick<Deps, 'store'>, runId: string, run: Run | undefined): Promise<Said> => {
  const messages = run ? await store.messages(run.conversationId, run.user) : []
  const own = messages.filter(it => it.role === 'user')
  const inRun = own.filter(it => run?.follows !== undefined || it.runId === runId)
  return {
    user: run?.user ?? nobody,
    inConversation: own.map(it => it.content),
    inRun: [run?.task ?? '', ...inRun.map(it => it.content)],
  }
}

const priceOf = ({ price }: Listing) => parseUsdc(price, maxDecimals) ?? 0n
/** Offerings that cover less of the task's words are for something else. */
const minCoverage = 0.3
const maxAlternatives = 2
const isAlike = ({ coverage }: Fitting) => coverage >= minCoverage

const toAlternatives = (others: Fitting[], chosen: Fitting): Proposal['alternatives'] =>
  others
    .filter(isAlike)
    .slice(0, maxAlternatives)
    .map(other => ({
      agentHandle: other.listing.agentHandle,
      offeringName: other.listing.name,
      price: other.listing.price,
      why: whyNot(other, chosen),
    }))

/** Why an alternative was not chosen: coverage first, then price, then time. */
const whyNot = (other: Fitting, chosen: Fitting): string => {
  if (other.coverage < chosen.coverage) return 'fits your words less well'
  const more = priceOf(other.listing) - priceOf(chosen.listing)
  if (more > 0n) return `costs ${formatUsdc(more, maxDecimals)} USDC more`
  const later = other.listing.slaMinutes - chosen.listing.slaMinutes
  if (later > 0) return `promises it ${later} min later`
  return 'as good in price, time and words; its description fits less well'
}
