import { json } from '../../../src/domain/json.ts'
import { toPurchaseText } from '../../../src/domain/x402/purchaseProposal.ts'
import type { ButlerDeps } from '../deps.ts'
import { speak } from '../speak.ts'
import type { ButlerState, Update } from '../state.ts'

/** Asks the resource that the user named for its price, and proposes to pay it. */
export const quote =
  (deps: ButlerDeps) =>
  async (state: ButlerState): Promise<Update> => {
    const { runId, resource, chainId, maxPrice, asked, round } = state
    const refuse = async (text: string): Promise<Update> => ({
      purchase: undefined,
      content: await speak(deps, state, { key: 'quote', text }),
      stage: 'none',
      next: [],
    })
    if (!resource) return refuse(noResource)
    const quoted = await deps.quotePurchase(runId, { resource, chainId, maxPrice, isAsked: asked })
    if ('refusal' in quoted) return refuse(quoted.refusal)
    if ('content' in quoted) return { purchase: undefined, content: quoted.content, stage: 'none', next: [] }
    const { proposal, isAgreed } = quoted
    await deps.tell(runId, {
      kind: 'proposed',
      summary: toPurchaseText(proposal),
      data: { purchase: json.parse(proposal) },
      // A repeated node may get another price, so the digest is part of the key and the valid proposal is logged too.
      key: `proposed:${round}:${proposal.digest}`,
    })
    return { purchase: proposal, proposal: undefined, isBought: isAgreed, round: round + 1 }
  }

const noResource = 'Tell me the address that I should pay for.'
