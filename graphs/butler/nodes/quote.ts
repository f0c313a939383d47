import { json } from '../../../src/domain/json.ts'
import { toPurchaseText } from '../../../src/domain/purchaseProposal.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

/** Asks the resource that the user named for its price, and proposes to pay it. */
export const quote =
  ({ quotePurchase, tell }: ButlerDeps) =>
  async ({ runId, resource, chainId, maxPrice, asked, round }: ButlerState): Promise<Update> => {
    if (!resource) return { purchase: undefined, content: noResource, stage: 'none' }
    const quoted = await quotePurchase(runId, { resource, chainId, maxPrice, isAsked: asked })
    if ('content' in quoted) return { purchase: undefined, content: quoted.content, stage: 'none', next: [] }
    const { proposal, isAgreed } = quoted
    await tell(runId, {
      kind: 'proposed',
      summary: toPurchaseText(proposal),
      data: { purchase: json.parse(proposal) },
      // A repeated node may get another price, so the digest is part of the key and the valid proposal is logged too.
      key: `proposed:${round}:${proposal.digest}`,
    })
    return { purchase: proposal, proposal: undefined, isBought: isAgreed, round: round + 1 }
  }

const noResource = 'Tell me the address that I should pay for.'
