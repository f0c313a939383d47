import { readWantedResource, type WantedResource } from '../../../src/domain/x402/wantedResource.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Draft, Update } from '../state.ts'
import { toTaskState } from './taskState.ts'

/** Drafts with the terms of their purchases, those that cannot be bought, and why. */
type Quoted = { planned: Draft[]; without: Draft[]; words: string[] }

/** Asks the resources of a plan for their prices. One that cannot be bought is no step, and its reason is said. */
export const quoteDrafts = async (deps: ButlerDeps, state: ButlerState, drafts: readonly Draft[]): Promise<Quoted> => {
  const asked: { draft: Draft; quoted: Answered | undefined }[] = []
  for (const draft of drafts) {
    const { resource } = draft
    asked.push({ draft, quoted: resource && (await quote(deps, state, { ...draft, resource })) })
  }
  const refused = asked.flatMap(({ draft, quoted }) => (quoted && 'words' in quoted ? [{ draft, ...quoted }] : []))
  return {
    planned: asked.flatMap(({ draft, quoted }) => (quoted && 'words' in quoted ? [] : [{ ...draft, ...quoted }])),
    // A resource that answered for nothing has done its task.
    without: refused.flatMap(({ draft, isFree }) => (isFree ? [] : [draft])),
    words: refused.map(it => it.words),
  }
}

type Wanting = Draft & { resource: WantedResource }
/** The terms of a purchase, or why there is none. `isFree`: the resource answered without a payment. */
type Answered = { purchase: NonNullable<Draft['purchase']> } | { words: string; isFree: boolean }

const quote = async (deps: ButlerDeps, state: ButlerState, draft: Wanting): Promise<Answered> => {
  const { runId, chainId } = state
  // The place of a task among those of the message stays when another step is left out.
  const id = `${runId}_pay_${draft.at + 1}`
  const { maxPrice } = await toTaskState(deps, state, draft)
  const quoted = await deps.quotePurchase(runId, { resource: draft.resource, chainId, maxPrice, isAsked: true, id })
  if ('refusal' in quoted) return { words: quoted.refusal, isFree: false }
  if ('content' in quoted) return { words: quoted.content, isFree: true }
  return { purchase: { ...quoted.proposal, mandate: null, id } }
}

/** The only task of a message that can be done pays for a resource: it is a purchase as any other. */
export const asPurchase = async (deps: ButlerDeps, state: ButlerState, draft: Wanting): Promise<Update> => {
  const words = state.said.at(-1) ?? draft.words
  const whole = readWantedResource(words)
  const { maxPrice } = await deps.rules.understand(words)
  return { act: 'pay', to: 'quote', task: words, resource: typeof whole === 'string' ? draft.resource : whole, maxPrice }
}
