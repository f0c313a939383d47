import { z } from 'zod'
import { toDigest } from '../../../../src/domain/runs/proposal.ts'
import type { Mutation, Sent } from '../mutation.ts'

const answering = z.object({ run_id: z.string(), digest: z.string() }).loose()

/** Changes a confirmation on its way. */
const confirming =
  (
    change: (sent: Sent, run: { digest: string | undefined; user: Sent['caller']['wallet'] }) => Sent,
  ): NonNullable<Mutation['request']> =>
  async (sent, { store }) => {
    if (sent.name !== 'confirmHire') return sent
    const run = await store.run(answering.parse(sent.input).run_id)
    return run ? change(sent, { digest: run.proposal?.digest, user: run.user }) : sent
  }

/** Bugs in accepting a consent. */
export const agreeing: Mutation[] = [
  {
    name: 'a yes counts for whatever is proposed now',
    without: 'the digest',
    focus: [],
    request: confirming((sent, { digest }) => (digest ? { ...sent, input: { ...answering.parse(sent.input), digest } } : sent)),
  },
  {
    name: 'a yes counts for ever',
    without: 'the lapse of a proposal',
    focus: [],
    deps: deps => ({ ...deps, clock: { now: () => 0 } }),
  },
  {
    name: 'a yes of anybody counts',
    without: 'the look whose run it is',
    focus: [],
    request: confirming((sent, { user }) => ({ ...sent, caller: { ...sent.caller, wallet: user } })),
  },
  {
    name: 'a request that comes again is new',
    without: 'the idempotency key',
    focus: [61],
    request: async sent => ({ ...sent, caller: { ...sent.caller, idempotencyKey: undefined } }),
  },
  {
    name: 'what is hired is what is offered now',
    without: 'the version in the terms',
    focus: [60],
    butler: (deps, { store }) => ({
      ...deps,
      async openJob(runId, proposal) {
        const listing = await store.listing(proposal.agentId, proposal.offeringId)
        if (!listing) return deps.openJob(runId, proposal)
        const now = { ...proposal, offeringVersion: listing.version, price: listing.price, total: listing.price }
        return deps.openJob(runId, { ...now, digest: toDigest(now) })
      },
    }),
  },
]
