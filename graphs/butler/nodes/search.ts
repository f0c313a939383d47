import { limits } from '../../../src/domain/limits.ts'
import { isListed } from '../../../src/domain/offerings/offering.ts'
import { toFoundText } from '../../../src/domain/runTexts/butler.ts'
import { toQuotable } from '../../../src/domain/text/quotableText.ts'
import { gapOf } from '../../../src/language/text/gap.ts'
import { namesAgent } from '../../../src/language/text/namedAgent.ts'
import type { ButlerDeps, Candidate } from '../deps.ts'
import { joined } from '../offers/candidates.ts'
import { takersFirst } from '../offers/takers.ts'
import type { ButlerState, Update } from '../state.ts'

/** After a change, an offering must reach this share (0–1) of the earlier offering's search score. */
const likeScore = 0.4

/** Maximum number of candidates kept after filtering by the user's limits. */
const maxCandidates = 8

/**
 * Finds offerings that anyone may hire and stores only their keys. Offerings outside the user's limits are stored separately,
 * to be mentioned but not hired. Inputs for another task are cleared.
 */
export const search =
  (deps: ButlerDeps) =>
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
    notice,
    said: words,
    called,
    files,
    input,
    ...wishes
  }: ButlerState): Promise<Update> => {
    const findListings = findBoth(deps, called?.query ?? '')
    const { maxPrice, withinMinutes, category } = wishes
    const want = { text: said || task, chainId, agent }
    const ofAgent = agent === undefined ? undefined : await findListings({ ...want, maxPrice: undefined })
    const known = ofAgent === undefined || ofAgent.length > 0
    const someone = known ? want : { ...want, agent: undefined }
    const anyPrice = async () => (known && ofAgent) || findListings({ ...someone, maxPrice: undefined })
    const isLike = ({ score = 0 }: Candidate) => act !== 'change' || score >= (before?.score ?? 0) * likeScore
    const found = maxPrice === undefined ? await anyPrice() : await findListings({ ...someone, maxPrice })
    const affordable = found.filter(it => it.listing.agentId !== avoid && isLike(it))
    const wishesMore = maxPrice !== undefined || withinMinutes !== undefined || category !== undefined
    const all = !wishesMore ? [] : maxPrice === undefined ? found : await anyPrice()
    const fitting = takersFirst(
      affordable.filter(({ listing }) => !gapOf(listing, wishes)),
      files,
    ).slice(0, maxCandidates)
    // What the model points at was found in this turn, too, and keeps to the same limits.
    const pointed = agent === undefined || !known ? await readPicks(deps, called) : []
    const more = pointed.filter(({ listing: it }) => it.chainId === chainId && it.agentId !== avoid)
    const candidates = joined(
      fitting,
      more.filter(it => !gapOf(it.listing, wishes)),
    )
    const missed = joined(more, all)
      .map(it => ({ ...toRef(it), gap: gapOf(it.listing, wishes) }))
      .filter(it => it.gap)
    await deps.tell(runId, { ...toSearched(candidates), key: `searched:${turn}:${round}` })
    return {
      found: candidates.map(toRef),
      missed: missed.slice(0, maxCandidates),
      pick: undefined,
      // A change that a model read, such as a lower limit, keeps what it read before: it stands in no words of the rules.
      input: act === 'change' && called ? input : {},
      questions: [],
      proposal: undefined,
      decision: undefined,
      ...(agent !== undefined && !known && namesAgent(words.join('\n')) && withoutAgent(agent, notice)),
    }
  }

/** The event of a search. */
const toSearched = (candidates: readonly Candidate[]) => ({
  kind: 'searched' as const,
  summary: toFoundText(candidates.length),
  data: { offerings: candidates.map(({ listing: it }) => ({ agent: it.agentHandle, offering: it.name, price: it.price })) },
})

/** Finds by the user's words and by those of a model, the user's first. */
const findBoth =
  ({ findListings }: ButlerDeps, query: string): ButlerDeps['findListings'] =>
  async want => {
    const found = await findListings(want)
    return query === '' || query === want.text ? found : joined(found, await findListings({ ...want, text: query }))
  }

const readPicks = async ({ readListing }: ButlerDeps, called: ButlerState['called']): Promise<Candidate[]> => {
  const read = (called?.picks ?? []).map(async ({ agentId, offeringId, ...of }) => {
    const listing = await readListing(agentId, offeringId)
    return listing && isListed(listing) ? [{ listing, ...of }] : []
  })
  return (await Promise.all(read)).flat()
}

/** Text for a user who named an unknown agent. Another agent needs the user's own yes, even under a mandate. */
const withoutAgent = (agent: string, notice: string): Update => ({
  notice: `${notice} I know no agent “${toQuotable(agent, limits.nameChars)}” here, so I looked at all others.`.trim(),
  agent: undefined,
  asked: true,
})

const toRef = ({ listing, ...found }: Candidate) => ({ agentId: listing.agentId, offeringId: listing.id, ...found })
