import { digestChars } from '../../src/domain/consent/digest.ts'
import { judgeByCode, toChecklist, type Verdict } from '../../src/domain/jobs/acceptance.ts'
import { deadlines, toRefundedBy } from '../../src/domain/jobs/deadlines.ts'
import { toJobKind } from '../../src/domain/jobs/job.ts'
import { type JsonObject, sha256 } from '../../src/domain/json.ts'
import { limits } from '../../src/domain/limits.ts'
import { formatUsdc, parseUsdc } from '../../src/domain/money/money.ts'
import { type Listing, toSearchText } from '../../src/domain/offerings/offering.ts'
import { type Proposal, type Terms, toDigest, toTag } from '../../src/domain/runs/proposal.ts'
import type { PurchaseProposal } from '../../src/domain/runs/purchaseTerms.ts'
import { toEndText } from '../../src/domain/runTexts/ends.ts'
import { toRejectionReason } from '../../src/domain/runTexts/verdicts.ts'
import { fieldsOf } from '../../src/domain/schemas/schema.ts'
import { toCoverage, toTerms } from '../../src/language/words/words.ts'
import { noModel } from '../../src/llm/noModel.ts'
import type { Job, Model } from '../../src/ports.ts'
import type { ButlerDeps } from '../butler/deps.ts'
import { type Script, scripts } from './scripts.ts'

const address = `0x${'0'.repeat(40)}` as const
const decimals = 6
const serveDays = 24 * 60

const toListing = ({ handle, name, field, result }: Script, at: number): Listing => ({
  id: 'work',
  name,
  description: `${name}, for the studio.`,
  price: '0.1',
  slaMinutes: serveDays,
  jobInput: '',
  jobOutput: '',
  requirement: schemaOf(field, `The ${field}`),
  deliverable: schemaOf(result, `The ${result}`),
  requiredFunds: false,
  restricted: false,
  hide: false,
  active: true,
  agentId: `97:${address}:${at + 1}`,
  agentHandle: handle,
  agentName: handle,
  chainId: 97,
  version: 1,
})

const schemaOf = (field: string, description: string): JsonObject => ({
  type: 'object',
  required: [field],
  properties: { [field]: { type: 'string', description } },
})

const toProposal = ({ listing, input, reason, wishes, leftOut = [] }: Parameters<ButlerDeps['writeProposal']>[0]): Proposal => {
  const { chainId, agentId, agentHandle, agentName, price, slaMinutes, deliverable } = listing
  const offering = { offeringId: listing.id, offeringName: listing.name, offeringVersion: listing.version }
  const terms: Terms = { chainId, agentId, agentHandle, ...offering, input, price, fee: '0', total: price, slaMinutes }
  const checklist = toChecklist(deliverable, wishes)
  const { submitBy, expiresAt } = deadlines(slaMinutes, Date.now())
  return {
    ...terms,
    made: [],
    left_out: leftOut,
    agentName,
    reason,
    checklist,
    alternatives: [],
    mandate: null,
    gas: { amount: '0', payer: 'platform' },
    youGet: fieldsOf(deliverable).map(({ name, description }) => ({ field: name, description })),
    judgedBy: checklist.map(it => it.words),
    timeline: { deliveredBy: submitBy, refundedBy: toRefundedBy({ expiresAt }) },
    tag: toTag(terms),
    digest: toDigest(terms),
    lapsesAt: Date.now() + limits.proposalMs,
  }
}

const resourcePrice = '0.02'

/** Every address of the studio costs the same. */
const toPurchase = (url: string): PurchaseProposal => ({
  kind: 'purchase',
  chainId: 97,
  url,
  method: 'GET',
  total: resourcePrice,
  payee: address,
  asset: address,
  payer: address,
  description: '',
  mandate: null,
  digest: sha256(url).slice(0, digestChars),
  lapsesAt: Date.now() + limits.proposalMs,
})

type Opening = { id: string; runId: string; proposal: Proposal; listing: Listing }
const toJob = ({ id, runId, proposal, listing: offering }: Opening): Job => {
  const budget = parseUsdc(proposal.total, decimals) ?? 0n
  return {
    id,
    runId,
    agentId: proposal.agentId,
    agentWallet: address,
    chainId: proposal.chainId,
    user: address,
    userWallet: address,
    terms: proposal,
    mandateId: undefined,
    offering,
    checklist: proposal.checklist,
    kind: toJobKind({ terms: proposal, budget }),
    budget,
    fee: 0n,
    deadlines: deadlines(proposal.slaMinutes, Date.now()),
    state: 'submitted',
    chainJobId: undefined,
    attempt: 1,
    requeues: 0,
    leaseUntil: undefined,
    deliverable: undefined,
    returned: undefined,
    units: undefined,
    leasedAt: undefined,
    submittedAt: undefined,
    verdict: undefined,
    kept: undefined,
    outcome: undefined,
    dispute: '',
    reason: '',
    createdAt: Date.now(),
    updatedAt: Date.now(),
  }
}

/** The jobs of the scripted agents. A restart of the process forgets them. */
const openJobs = (listings: Listing[]) => {
  const jobs = new Map<string, Job>()
  const change = (id: string, patch: (job: Job) => Partial<Job>) => {
    const job = jobs.get(id)
    if (job) jobs.set(id, { ...job, ...patch(job) })
  }
  return {
    change,
    find: (id: string) => jobs.get(id),
    /** Each call opens another job, so that a thread of the studio can go back to an earlier step and go on from there. */
    open(runId: string, proposal: Proposal): Job {
      const listing = listings.find(it => it.agentId === proposal.agentId)
      if (!listing) throw new RangeError(`no offering of ${proposal.agentHandle}`)
      const job = toJob({ id: `job-${jobs.size + 1}`, runId, proposal, listing })
      jobs.set(job.id, job)
      return job
    },
  }
}

const judge = (job: Job): { deliverable: string; verdict: Verdict } => {
  const { offering, checklist, terms, attempt } = job
  const script = scripts.find(it => it.handle === terms.agentHandle)
  const deliverable = JSON.stringify(script?.deliver(attempt) ?? {})
  const criteria = judgeByCode(checklist, { deliverable, input: terms.input, schema: offering.deliverable })
  return { deliverable, verdict: { attempt, pass: criteria.every(it => it.outcome !== 'fail'), criteria } }
}

const toEnd = (job: Job) =>
  toEndText(job.state === 'settled' ? job : { ...job, state: 'refunded' }, {
    amount: formatUsdc(job.budget, decimals),
    payee: job.agentWallet,
    transaction: `0x${sha256(job.id)}`,
  })

/** The steps of a plan are runs of their own, which need the database. */
const noPlan = async () => Promise.reject(new RangeError('the studio plans no request with several tasks'))

const noPlans = {
  writePlan: noPlan,
  agreePlan: noPlan,
  declinePlan: async () => undefined,
  advancePlan: noPlan,
  agreedPlan: async () => undefined,
  seePlan: noPlan,
  readStep: async () => undefined,
  describePlan: noPlan,
  readInput: async () => undefined,
}

/** Nobody reads the log of a run in Studio. */
const unheard = { tell: async () => undefined, tellAll: async () => undefined }

/**
 * The ports of the butler as a market in memory: its agents follow a script, and no chain, network or key is needed. A job is
 * delivered when the studio says so, and ends at once.
 */
export const openScriptedMarket = (rules: Model): ButlerDeps => {
  const listings = scripts.map(toListing)
  const jobs = openJobs(listings)
  return {
    model: noModel,
    rules,
    modelMs: 0,
    now: Date.now,
    servesChain: chainId => chainId === 97,
    usdcDecimals: () => decimals,
    ...unheard,
    recall: async () => ({
      situation: { stage: 'none', hasJob: false, hasEnded: false },
      before: undefined,
      offers: [],
      wasDeclined: false,
    }),
    readFiles: async () => [],
    recallFiles: async () => [],
    readTalk: async () => ({ messages: [], jobs: [] }),
    respond: async ({ act }) => `The service answers “${act}” from its database, which the studio does not have.`,
    describeOffers: async choices => choices.map(it => `${it.name} by ${it.agent_handle}, ${it.price} USDC`).join('\n'),
    tellAlive: async () => 'online now',
    unpaid: async () => 'Nothing was hired and nothing was paid.',
    startNext: async () => undefined,
    findListings: async ({ text, agent }) =>
      listings
        .filter(it => agent === undefined || [it.agentHandle, it.agentId].includes(agent))
        .map(listing => ({ listing, coverage: toCoverage(text, new Set(toTerms(toSearchText(listing)))) }))
        .map(it => ({ ...it, score: it.coverage, hasConnected: true }))
        .filter(it => it.coverage > 0 || agent !== undefined)
        .sort((a, b) => b.coverage - a.coverage),
    readListing: async (agentId, offeringId) => listings.find(it => it.agentId === agentId && it.id === offeringId),
    writeProposal: async draft => toProposal(draft),
    agreeByOrder: async () => false,
    agreeByWords: async () => true,
    ...noPlans,
    openJob: async (runId, proposal) => jobs.open(runId, proposal),
    quotePurchase: async (_, { resource }) => ({ proposal: toPurchase(resource.url), isAgreed: false }),
    agreePurchase: async id => ({ id }),
    readPurchase: async () => undefined,
    declinePurchase: async () => undefined,
    describePurchase: async () => `The address answered, and ${resourcePrice} USDC went to ${address}.`,
    readJob: async id => jobs.find(id),
    async judge(id) {
      jobs.change(id, judge)
      return jobs.find(id)?.verdict
    },
    tellVerdict: async () => undefined,
    acceptDeliverable: async id => jobs.change(id, () => ({ state: 'settled' })),
    async reviseDeliverable(id) {
      const { attempt = limits.attempts } = jobs.find(id) ?? {}
      if (attempt < limits.attempts) jobs.change(id, () => ({ attempt: attempt + 1 }))
      return attempt < limits.attempts
    },
    rejectDeliverable: async (id, { errors }) =>
      jobs.change(id, () => ({ state: 'refunded', reason: toRejectionReason(errors, false) })),
    describeEnd: async job => toEnd(job),
  }
}
