import type { Situation } from '../../../src/domain/runs/acts.ts'
import { toOwnUrls } from '../../../src/domain/text/ownWords.ts'
import { readWantedResource, type WantedResource } from '../../../src/domain/x402/wantedResource.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState } from '../state.ts'

/** Without one of these words, an address is what a task is about: "Get https://…". */
const pays = /(?<!\p{L})(?:pay|buy|purchase)(?!\p{L})/iu
const alone: Situation = { stage: 'none', hasJob: false, hasEnded: false }

/** The resource for which one task of a message pays, in the user's own words; undefined for every other task. */
export const resourceOf = async (
  { rules }: ButlerDeps,
  { said }: Pick<ButlerState, 'said'>,
  words: string,
): Promise<WantedResource | undefined> => {
  const resource = readWantedResource(words)
  // Its own words may hide that the whole message quotes them.
  if (!pays.test(words) || typeof resource === 'string' || !said.some(it => toOwnUrls(it).includes(resource.url)))
    return undefined
  return (await rules.read({ text: words, situation: alone })).act === 'pay' ? resource : undefined
}
