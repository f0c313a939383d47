import { toMeaning } from '../../domain/words.ts'
import type { ListingView } from '../../ports.ts'

/**
 * A listing fits when more than a third of what the request means stands in it: one word of three is chance
 * ("book a flight to Mars" is no work for a summarizer of books).
 */
const enough = 0.34
/** Two words are less likely chance, so a longer request may have more that the listing does not name. */
const enoughOfTwo = 0.25

const topic = /\b(?:about|regarding|concerning)\s+[^.,;:!?]{1,100}/gi

/** What a text is to be about stands in no listing: it counts nothing against one. */
const countOf = (task: string, meaning: string[]): number =>
  Math.min(meaning.length, Math.max(1, toMeaning(task.replace(topic, ' ')).length))

const isFitting = (task: string, meaning: string[]) => {
  const count = countOf(task, meaning)
  return ({ coverage }: ListingView) => {
    const matched = Math.round(coverage * meaning.length)
    return matched / count >= enough || (matched / count >= enoughOfTwo && matched >= 2)
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
