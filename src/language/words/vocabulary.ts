import { distance, respell } from '../../domain/text/spelling.ts'
import { isEnglish } from './englishWords.ts'
import { stem } from './stem.ts'
import { isStopWord, splitWords, toTerms } from './words.ts'

/** Words of asking, thanking and greeting, which carry no value. */
const polite = new Set(
  splitWords(
    `please pls plz thanks thank thx hi hello hey dear kindly cheers regards sincerely ok okay yes yeah yep no nope well sorry
    actually really just maybe perhaps quickly quick fast asap soon now today cheap cheapest cheaper good great nice best
    butler sir madam want wants wanted need needs needed like would could can may might shall will let lets want wanna gonna
    something anything someone somebody anyone anybody everything thing things stuff some any one ones it this that these those
    help helps know tell give get gets find show make makes do does did done have has had be been going go see look looking search ask asking hire
    use using send run task job service agent question possible sure wonder wondering hope hoping mean guess think here there
    more less again too also only about regarding concerning is are was were s m re ll d t ve much many lot lots
    bit kind sort way time moment little few every each other another same new old
    follow following follows below attached paste pasted mind ready start begin finally
    prefer preferred preferably interested curious finding
    nah lol haha hm hmm oh ugh oops wait`,
  ),
)

/** Verbs that ask for work. The words after them name its subject. */
const deedWords = splitWords(
  `write draft create compose design generate produce prepare build book order buy plan check review analyse analyze explain describe
    summarise summarize translate transcribe convert fly travel drive visit stay sail paddle rent ride commute proof edit rewrite name solve shorten calculate compute compare recommend suggest read proofread correct fix clean
    schedule call arrange organise organize reserve scan audit test diagnose research investigate teach draw paint render remove extract pull scrape`,
)
const deeds = new Set(deedWords.map(stem))

const misspeltLetters = 6
const sameStart = 4
/** Whether a word is a verb with at most two typos. Its first letters must be correct. */
const isMisspelt = (word: string, deed: string) =>
  word.slice(0, sameStart) === deed.slice(0, sameStart) && distance(word, deed, 2) <= 2

/** Whether a word is a verb of a request, in any inflection or slightly misspelt. */
export const isDeed = (word: string): boolean => {
  const lower = word.toLowerCase()
  if (deeds.has(stem(lower))) return true
  return lower.length >= misspeltLetters && !isEnglish(lower) && deedWords.some(it => isMisspelt(lower, it))
}

/** Whether a word carries no value of its own. */
export const isEmpty = (word: string): boolean => isStopWord(word) || polite.has(word)

const terms =
  /^(?:prices?|costs?|costing|free|fees?|charges?|money|refunds?|expensive|cheap(?:er|est)?|pay|paid|total|budget|usdc)$/
/** Whether a word speaks of the price of the hire. Alone, it is never a name or a place. */
export const isOfPrice = (word: string): boolean => terms.test(word)

/** Whether a text asks for a price and for nothing else: "What do you charge?" */
export const asksPrice = (text: string): boolean => {
  const words = splitWords(text)
  return words.some(isOfPrice) && words.every(it => isOfPrice(it) || isEmpty(it))
}

/** Creates a test for whether a word occurs in a listing or its fields. It compares stems and accepts typos. */
export const createOwnWords = (text: string): ((word: string) => boolean) => {
  const terms = new Set(toTerms(text))
  const known = [...new Set(splitWords(text))].filter(it => it.length > 3)
  const cache = new Map<string, boolean>()
  return word => {
    const before = cache.get(word)
    if (before !== undefined) return before
    const isOwn = terms.has(stem(word)) || terms.has(stem(respell(word, known)))
    cache.set(word, isOwn)
    return isOwn
  }
}
