import type { ButlerDeps } from '../deps.ts'
import type { ButlerState } from '../state.ts'
import type { Heard } from './heard.ts'

/** Number of offerings that are compared with a message. */
const compared = 8

/** From this probability, a task for the offering that asks is a new request, and not its text. */
const surelyTask = 0.9

/** Whether the market has an offering that clearly does what a message says, so that it is not the text that was asked for. */
export const isOffered = async (
  { findListings, rules }: ButlerDeps,
  { chainId, pick }: ButlerState,
  { text, reading }: Pick<Heard, 'text' | 'reading'>,
): Promise<boolean> => {
  const found = (await findListings({ text, chainId, maxPrice: undefined, agent: undefined })).slice(0, compared)
  const listings = found.map(({ listing, ...of }) => ({ ...listing, ...of }))
  const { decision, picks } = await rules.choose({ task: text, listings })
  const chosen = found[picks[0] ?? -1]?.listing
  const isOther = chosen?.agentId !== pick?.agentId || chosen?.id !== pick?.offeringId
  return decision === 'propose' && (isOther || reading.sure >= surelyTask)
}
