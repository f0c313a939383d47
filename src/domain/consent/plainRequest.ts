import { toOwnWords } from '../text/ownWords.ts'
import { holdsBack, toBare } from './dealWords.ts'

// A mandate buys without a question only what a plain request asks for. Every word here makes a message more than that.
// Some of these words also stand in harmless tasks. One question too many costs nothing.

const negation = String.raw`not|[\p{L}]+n['’]t|dont|doesnt|didnt|cant|cannot|wont|wouldnt|shouldnt|isnt|no|none|nobody|nothing|never|neither|nor|without|instead|rather|avoid\w*|skip|except|hardly|barely|against`
const condition = String.raw`if|unless|when|whenever|once|until|till|before|after|while|provided|providing|assuming|given that|in case|as soon as|as long as|subject to|depend\w*|otherwise|or else|whether|but|however|though|although|only`
const possibility = String.raw`would(?! like)|could|can|might|may|should|shall|must|possibl\w*|able|perhaps|maybe|probably|wonder\w*|suppos\w*|imagin\w*|hypothe\w*|theor\w*|curious|consider\w*|think\w*|guess|hop(?:e|es|ing)|i wish|plan(?:s|ning|ned)? to|intend\w*|want to know|interested in|just (?:looking|browsing|checking|asking)|for example|e\.g\.|(?:do|does|are|is) (?:you|there|it possible|any|anyone|anybody|someone|somebody)`
const later = String.raw`will|(?:i|we|you|it)['’]ll|going to|tomorrow|tonight|later|soon|someday|one day|some day|eventually|another time|next|in (?:an?|one|two|three|five|ten|a few|\d+) (?:minutes?|hours?|days?|weeks?|months?)|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekend`
const price = String.raw`price\w*|pricing|cost\w*|fees?|rates?|cheap\w*|expensive|afford\w*|worth|free|how much|estimat\w*|quotes?|quotation|proposals?|propos(?:e|es|ed|ing)|offers?|offered|budget|terms`
const report = String.raw`sa(?:y|ys|id|ying)|tells|told|asks|asked|asking|ask (?:me|us|you|for)|wr(?:ote|itten)|heard|claim\w*|according|he|she|they|him|them|their|someone|somebody|everyone|everybody|was|were|did|had|used to|yesterday|ago|last (?:night|week|month|year|time)|already|earlier|previously`
const asking = String.raw`how (?:long|soon|quickly|often|come)|happen\w*|status|any (?:news|progress|update)s?|work(?:ed|s)|fail\w*|finished|went wrong|my (?:last|latest|previous|earlier|other)`
const words = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${[negation, condition, possibility, later, price, report, asking].join('|')})(?![\p{L}\p{N}])`,
  'iu',
)

const quotation = /["“”„«»「」『』`]|(?<![\p{L}\p{N}])['‘][^'’]{2,}['’](?![\p{L}\p{N}])|(?:^|\n)\s*>|\n\s*\n|-{3}/u
/** A colon with more than a short value behind it introduces material. An address has its colon inside a word. */
const announced = /:\s+\S+(?:\s+\S+){3}/
const unfinished = /\.\.|…|[?!]\s*[?!]/
/** The handle or id of an agent. A word of it, such as "cheap" in "cheap-1", says nothing. */
const handles = /(?<=\b(?:agent|hire|use)\s+@?|@)\w*[-_.:\d][\w.:-]*/gi
const addresses = /\bhttps?:\/\/\S+/gi

/** A longer message holds more than a request. */
const maxChars = 500

/**
 * Whether a message only asks for a thing to be done now. Such a message has no negation, no condition and no later time. It has
 * no question about price or possibility, no report and no quotation.
 */
export const isPlainRequest = (message: string): boolean => {
  if (message.length > maxChars || quotation.test(message) || unfinished.test(message)) return false
  if (announced.test(message) || toOwnWords(message).text !== message) return false
  const text = toBare(message).replace(addresses, ' address ').replace(handles, ' name ')
  return !words.test(text) && !holdsBack(text)
}

/** What a request under a mandate was read from, and what was made of it. */
export type Unasked = {
  messages: readonly string[]
  isEnglish: boolean
  made: readonly string[]
  leftOut: readonly string[]
}

const reasons: [string, (it: Unasked) => boolean][] = [
  ['your message is not in English', it => !it.isEnglish],
  ['your message is more than a plain request', it => !it.messages.every(isPlainRequest)],
  ['some values are not in your own words', it => it.made.length > 0],
  ['some of your words would be left out', it => it.leftOut.length > 0],
]

/** Why a hire needs the user's own yes whatever a mandate covers, as the end of "asks because …"; undefined when it does not. */
export const whyAsk = (it: Unasked): string | undefined => reasons.find(([, applies]) => applies(it))?.[0]
