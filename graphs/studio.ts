import { deadlines, toRefundedBy } from '../src/domain/deadlines.ts'
import { limits } from '../src/domain/limits.ts'
import { type Listing, toSearchText } from '../src/domain/offering.ts'
import { proposal, type Terms, toDigest, toTag } from '../src/domain/proposal.ts'
import { toCoverage, toTerms } from '../src/domain/words.ts'
import { createRules } from '../src/llm/rules.ts'
import type { ButlerDeps } from './butler/deps.ts'
import { butler } from './butler/graph.ts'

// The butler for LangGraph Studio, with two sample listings in memory and the rules as its model. It hires and pays nobody.
// Start a thread with {"runId": "studio", "chainId": 97, "said": ["What is the weather in Oslo?"]}.

const sample = (handle: string, name: string, field: string): Listing => ({
  ...{ id: handle, name, description: `${name}, for the studio.`, price: '0.1', slaMinutes: 5, jobInput: '', jobOutput: '' },
  requirement: { type: 'object', required: [field], properties: { [field]: { type: 'string', description: `The ${field}` } } },
  ...{ deliverable: {}, requiredFunds: false, restricted: false, hide: false, active: true },
  ...{ agentId: `97:0x${'0'.repeat(40)}:${handle.length}`, agentHandle: handle, agentName: handle, chainId: 97, version: 1 },
})
const listings = [sample('sky-watch', 'Weather forecast', 'city'), sample('haiku-hut', 'Write a haiku', 'topic')]

const nobody = async () => Promise.reject(new Error('In the studio nobody is hired.'))

const writeProposal: ButlerDeps['writeProposal'] = async ({ listing, input, reason }) => {
  const { chainId, agentId, agentHandle, agentName, price, slaMinutes } = listing
  const offering = { offeringId: listing.id, offeringName: listing.name, offeringVersion: listing.version }
  const terms: Terms = { chainId, agentId, agentHandle, ...offering, input, price, fee: '0', total: price, slaMinutes }
  const { submitBy, expiresAt } = deadlines(slaMinutes, Date.now())
  return proposal.parse({
    ...terms,
    ...{ agentName, reason, youGet: [], judgedBy: [], alternatives: [] },
    timeline: { deliveredBy: submitBy, refundedBy: toRefundedBy({ expiresAt }) },
    ...{ tag: toTag(terms), digest: toDigest(terms), lapsesAt: Date.now() + limits.proposalMs },
  })
}

const rules = createRules()

/** The graph has no checkpointer because LangGraph Studio adds its own. */
export const graph = butler({
  model: rules,
  rules,
  modelMs: 0,
  now: Date.now,
  servesChain: chainId => chainId === 97,
  tell: async () => undefined,
  recall: async () => ({ situation: { stage: 'none', hasJob: false, hasEnded: false }, before: undefined, offers: [] }),
  respond: async ({ act }) => `An answer to ${act}.`,
  describeOffers: async () => '',
  tellAlive: async () => 'online now',
  unpaid: async () => '',
  startNext: async () => undefined,
  findListings: async ({ text }) =>
    listings.map(listing => ({ listing, coverage: toCoverage(text, new Set(toTerms(toSearchText(listing)))) })),
  readListing: async (_, offeringId) => listings.find(it => it.id === offeringId),
  writeProposal,
  agreeByOrder: async () => false,
  agreeByWords: async () => false,
  readInput: async () => undefined,
  openJob: async () => ({ refusal: 'not-covered', words: 'In the studio nobody is hired and nothing is paid.' }),
  ...{
    readJob: async () => undefined,
    judge: nobody,
    tellVerdict: nobody,
    acceptDeliverable: nobody,
    reviseDeliverable: nobody,
    rejectDeliverable: nobody,
  },
  describeEnd: nobody,
})
