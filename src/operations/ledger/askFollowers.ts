import type { Chain, Consequence, Follower, Intent, Receipt, Store } from '../../ports.ts'

type Reach = { store: Store; chain: Chain; followers: readonly Follower[] }

/** The consequences of an intent that a feature added; undefined for an intent of the core. See `consequenceOf` of the port. */
export const askFollowers = async (
  { store, chain, followers }: Reach,
  intent: Intent,
  mined?: Receipt,
): Promise<Consequence | undefined> => {
  for (const it of followers) {
    const found = await it.consequenceOf?.({ store, chain }, intent, mined)
    if (found) return found
  }
  return undefined
}
