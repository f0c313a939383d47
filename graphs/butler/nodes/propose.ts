import { json } from '../../../src/domain/json.ts'
import { toInputText } from '../../../src/domain/plainInput.ts'
import { Problem } from '../../../src/domain/problem.ts'
import { toProposalText } from '../../../src/domain/proposalText.ts'
import type { ButlerDeps } from '../deps.ts'
import { metered } from '../metered.ts'
import type { ButlerState, Update } from '../state.ts'

const unchanged =
  'I could not read what to change, so these are the same terms. Say it with the new value, for example: city: London.'

/** When the model is unavailable, wishes are not part of the terms; the checks by code remain. */
const unheard = (error: unknown): string[] => {
  if (error instanceof Problem && error.type === 'model-unavailable') return []
  throw error
}

/** Writes the proposal with terms from our database and logs it. */
export const propose =
  ({ model, readListing, writeProposal, agreeByOrder, tell }: ButlerDeps) =>
  async ({ runId, said, pick, found, input, reason, round, voided, asked, notice }: ButlerState): Promise<Update> => {
    const listing = pick && (await readListing(pick.agentId, pick.offeringId))
    if (!listing) return { proposal: undefined }
    const rest = found.filter(it => it.agentId !== pick.agentId || it.offeringId !== pick.offeringId).slice(0, 2)
    const others = await Promise.all(
      rest.map(async ({ agentId, offeringId, coverage }) => ({ listing: await readListing(agentId, offeringId), coverage })),
    )
    const proposal = await writeProposal({
      listing,
      coverage: pick.coverage,
      input: toInputText(listing.requirement, input),
      reason,
      others: others.flatMap(it => (it.listing ? [{ listing: it.listing, coverage: it.coverage }] : [])),
      run: { id: runId, isAsked: asked },
      wishes: await metered({ tell }, { runId, key: `wishes:${round}` }, spend => model.wishes(said, spend)).catch(unheard),
    })
    const ordered = !asked && (await agreeByOrder(runId, proposal))
    await tell(runId, {
      kind: 'proposed',
      summary: toProposalText(proposal),
      data: { proposal: json.parse(proposal) },
      // A repeated node may propose other terms, so the digest is part of the key and the valid proposal is logged too.
      key: `proposed:${round}:${proposal.digest}`,
    })
    return { proposal, ordered, round: round + 1, ...(proposal.digest === voided && !notice && { notice: unchanged }) }
  }
