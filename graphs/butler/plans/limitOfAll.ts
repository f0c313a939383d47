import { isAbove } from '../../../src/domain/money/money.ts'
import { namesWhole } from '../../../src/domain/plans/wholeWords.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Draft } from '../state.ts'

/**
 * The most USDC that the user wants to pay for all tasks together, as decimal text. A limit is for all of them where the message
 * says so, or where no task has a limit in its own words.
 */
export const limitOfAll = async ({ rules }: ButlerDeps, { said }: ButlerState, drafts: Draft[]): Promise<string | undefined> => {
  const { maxPrice } = await rules.understand(said)
  if (maxPrice === undefined) return undefined
  const own = await Promise.all(drafts.map(it => rules.understand([it.words])))
  return namesWhole(said.join('\n')) || own.every(it => it.maxPrice === undefined) ? maxPrice : undefined
}

/** Says that a plan costs more than its user wants to pay; empty if it does not. */
export const toAboveText = (total: string, limit: string | undefined): string =>
  limit !== undefined && isAbove(total, limit) ? `You said at most ${limit} USDC. All steps together cost ${total} USDC.` : ''
