import { gapOf } from '../../../src/domain/gap.ts'
import type { ButlerDeps, Candidate } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

/** What takes the place of something proposed is found nearly as well by the same words. */
const likeScore = 0.4

/** More are found, because limits take some out. */
const mostCandidates = 8

/**
 * Finds offerings that anyone may hire; keeps only their keys. Who fits the task and not the user's wishes is kept apart,
 * to be named and not hired. What was filled in for another offering is forgotten.
 */
export const search =
  ({ findListings, tell }: ButlerDeps) =>
  async ({
    runId,
    turn,
    task,
    want: said,
    chainId,
    agent,
    round,
    avoid,
    act,
    before,
    ...wishes
  }: ButlerState): Promise<Update> => {
    const { maxPrice, withinMinutes, category } = wishes
    const want = { text: said || task, chainId, agent }
    const known = agent === undefined || (await findListings({ ...want, maxPrice: undefined })).length > 0
    const someone = known ? want : { ...want, agent: undefined }
    const isLike = ({ score = 0 }: Candidate) => act !== 'change' || score >= (before?.score ?? 0) * likeScore
    const affordable = (await findListings({ ...someone, maxPrice })).filter(it => it.listing.agentId !== avoid && isLike(it))
    const wishesMore = maxPrice !== undefined || withinMinutes !== undefined || category !== undefined
    const all = wishesMore ? await findListings({ ...someone, maxPrice: undefined }) : []
    const candidates = affordable.filter(({ listing }) => !gapOf(listing, wishes)).slice(0, mostCandidates)
    const missed = all
      .map(it => ({ ...toRef(it), gap: gapOf(it.listing, wishes) }))
      .filter(it => it.gap)
      .slice(0, mostCandidates)
    await tell(runId, {
      kind: 'searched',
      summary: candidates.length === 1 ? 'Found 1 offering.' : `Found ${candidates.length} offerings.`,
      data: { offerings: candidates.map(({ listing: it }) => ({ agent: it.agentHandle, offering: it.name, price: it.price })) },
      key: `searched:${turn}:${round}`,
    })
    return {
      found: candidates.map(toRef),
      missed,
      pick: undefined,
      input: {},
      questions: [],
      proposal: undefined,
      decision: undefined,
    }
  }

const toRef = ({ listing, ...found }: Candidate) => ({ agentId: listing.agentId, offeringId: listing.id, ...found })
