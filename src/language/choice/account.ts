import { isDeed, isEmpty } from '../words/vocabulary.ts'
import { splitWords, toTerms } from '../words/words.ts'

/** What of a request's words a listing accounts for. Each is a number of distinct words. */
type Account = {
  /** Words of the listing's own that few other candidates have. */
  named: number
  /** Verbs of asking that the listing has, too: "book", "fix". */
  deeds: number
  /** Words that a value of a specific kind used: a date, a number with its unit, one of the choices. */
  values: number
  /** Words that say something, of which the listing knows nothing. */
  foreign: number
  /** 1 where the message orders a deed. */
  ordered: number
  /** 1 where that deed is one of its own which the listing does not have: "walk my dog". */
  otherDeed: number
}

const order =
  /^\W*(?:(?:please|pls|hi|hello|hey|ok|so|then|and|now|can|could|would|will|you|some(?:one|body)|any(?:one|body)|who|i|we|want|need|like|to|kindly|help|let)\W+)*(?<!^\W*(?:i|we)\W+)(\p{L}{3,20})\s+(?:my|our|his|her|their|the|an?|me|us|this|that|these|those|some|two|all)\s/iu
/** A word of questions, also without its apostrophe. */
const asking = /^(?:where|what|who|when|how|why)s?$/
/** What somebody does is no order: "pouring a floor". */
const telling = /\p{L}{3}ing$/u
/** The verb that a message orders, as in "walk my dog"; undefined for other messages. */
export const toOrdered = (text: string): string | undefined => {
  const verb = order.exec(text)?.[1]?.toLowerCase()
  return verb === undefined || isEmpty(verb) || asking.test(verb) || telling.test(verb) ? undefined : verb
}

type Of = {
  ordered: string | undefined
  /** The words of the request, and those that stand nowhere but in its addresses. */
  words: readonly string[]
  inAddresses: ReadonlySet<string>
  untyped: string
  own: ReadonlySet<string>
  isRare(term: string): boolean
}

/** What a listing does with a word of a request; undefined for a word that tells nothing. */
const useOf = (word: string, left: ReadonlySet<string>, { own, isRare, inAddresses }: Of): keyof Account | undefined => {
  const [term = ''] = toTerms(word)
  if (isEmpty(word) || term === '') return undefined
  if (own.has(term) && !inAddresses.has(word)) return isDeed(word) ? 'deeds' : isRare(term) ? 'named' : undefined
  if (!left.has(word)) return 'values'
  return isDeed(word) ? undefined : 'foreign'
}

const address = /\b[a-z][a-z0-9+.-]*:\/\/\S+/gi
/** The words of a text, and those that stand nowhere but in its addresses, which say nothing of the work. */
export const toSaidWords = (text: string): Pick<Of, 'words' | 'inAddresses'> => {
  const words = splitWords(text)
  const outside = new Set(splitWords(text.replace(address, ' ')))
  return { words, inAddresses: new Set(words.filter(it => !outside.has(it))) }
}

/** Counts the words of a request by what a listing does with them. */
export const toAccount = (of: Of): Account => {
  const { ordered, words, untyped, own } = of
  const left = new Set(splitWords(untyped))
  const account = { named: 0, deeds: 0, values: 0, foreign: 0, ordered: ordered ? 1 : 0, otherDeed: 0 }
  if (ordered && !isDeed(ordered) && !toTerms(ordered).some(it => own.has(it))) account.otherDeed = 1
  for (const word of new Set(words)) {
    const use = useOf(word, left, of)
    if (use) account[use] += 1
  }
  return account
}
