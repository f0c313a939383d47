import { toMeaning } from '../../domain/words.ts'
import type { ListingView } from '../../ports.ts'
import { withoutDates } from './dates.ts'

/**
 * A listing fits when more than a third of what the request means stands in it: one word of three is chance
 * ("book a flight to Mars" is no work for a summarizer of books).
 */
const enough = 0.34
/** Two words are less likely chance, so a longer request may have more that the listing does not name. */
const enoughOfTwo = 0.25

/** Of the words that say what is to be done, and not what with, more than half. */
const enoughOfDeed = 0.51

const topic = /\b(?:about|regarding|concerning)\s+[^.,;:!?]{1,100}/gi
const quoted = /["“«][^"”»]{1,300}["”»]/g
const capital = /(?<=[\p{L}\p{N},;] )\p{Lu}[\p{L}\p{N}'’&-]*/gu

/** The words of a task that say what is to be done: names, quotations, dates, figures and topics stand in no listing. */
const toDeed = (task: string): string[] =>
  toMeaning(withoutDates(task.replace(quoted, ' ').replace(topic, ' ').replace(capital, ' '))).filter(it => !/^\d+$/.test(it))

const isFitting = (task: string, meaning: string[]) => {
  const deed = Math.max(1, toDeed(task).length)
  return ({ coverage }: ListingView) => {
    const matched = Math.round(coverage * meaning.length)
    return coverage >= enough || (coverage >= enoughOfTwo && matched >= 2) || matched / deed >= enoughOfDeed
  }
}

/** The first listing, in the order of the search, that has enough of the request's words. */
export const choose = ({ task, listings }: { task: string; listings: ListingView[] }) => {
  const meaning = toMeaning(task)
  const pick = listings.findIndex(isFitting(task, meaning))
  const chosen = listings[pick]
  if (!chosen) {
    const reason =
      listings.length > 0 ? 'no listing has enough of the words of your request.' : 'no listing has any word of your request.'
    return { pick: -1, reason }
  }
  const matched = Math.round(chosen.coverage * meaning.length)
  return { pick, reason: `It has ${matched} of the ${meaning.length} words that say what you asked for.` }
}
