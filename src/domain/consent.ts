const agreeing = [
  'y|yes|yep|yeah|yup|sure|ok|okay|confirm(?:ed)?|approved?|agreed?|accept(?:ed)?|deal|sounds good|please do',
  'go(?: ahead)?|do it|hire(?: (?:it|them|him|her))?',
].join('|')
const refusing =
  'n|no|no (?:thank|want|need)|nope|nah|(?:cancel|stop)(?: (?:it|this|that))?|decline|reject|never ?mind|forget it|not now'
/** Words that make a refusal at the end of a message. Before another word they negate it: "don't stop" is no refusal. */
const unwilling = "(?:don'?t|do not)(?: (?:hire|do|confirm|approve|accept)(?: (?:it|this|that|them|him|her))?)?"

const politeness = 'please|pls|plz|then|now|thanks|thank you'
// Words that make a refusal ambiguous: "no, that's fine" may mean to continue.
const praise = "that's fine|fine|great|perfect"

const sentence = (phrase: string, last: string, fillers: string) =>
  new RegExp(`^(?:(?:${phrase}|${fillers}) )*(?:${last})(?: (?:${fillers}))*$`)
const plainYes = sentence(agreeing, agreeing, `${politeness}|${praise}`)
const plainNo = sentence(refusing, `${refusing}|${unwilling}`, politeness)
/** Phrases that may be either a consent or a goodbye. */
const farewell = /^(?:(?:ok|okay|great|perfect|fine) )+(?:thanks|thank you)$/
const doubt = /\?|\.\.|…/

/**
 * Reads a user's answer to a proposal, by code and never by a model. Only a message that is nothing but a yes is a consent.
 * Anything longer, mixed or unclear is a change of terms, which voids the proposal.
 */
export const readConsent = (message: string): 'yes' | 'no' | 'change' => {
  if (doubt.test(message)) return 'change'
  const words = message
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[.,!;:\s]+/g, ' ')
    .trim()
  if (plainYes.test(words) && !farewell.test(words)) return 'yes'
  return plainNo.test(words) ? 'no' : 'change'
}

/** A message that matches this is never a plain yes. */
const conditional =
  /[?"“”«»„]|\.\.|…|\b(?:but|if|only|not|except|instead|unless|why|no|never|later|maybe|dont|cant|nothing|nobody|none|neither|wrong|without|to hell)\b|n't\b/
/** A message that begins like this asks something, with or without a question mark: "is yes the right word". */
const asking =
  /^\W*(?:(?:and|so|but|ok|okay|well|hm+) )*(?:is|are|am|was|were|does|did|has|which|who|whose|when|where|what|how|do (?:you|i|we|they)|(?:would|should|shall|can|could|may|must)(?! you\b))\b/
/** A message with these words reports a yes and gives none: "she says yes". */
const telling = /\b(?:says|said|saying|word|(?<!\b(?:you|i) )say)\b/
const wordPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+(?:'\p{L}+)?|\p{Extended_Pictographic}/gu
/** Words that precede a value. */
const valueLead = /^(?:with|in|for|on|to|at|by|as|add|use|using|into|until|before|after|from|of|an?|and|also|about|than)$/
/** Words after "make it" that agree, such as "make it so". Any other word there asks for a change. */
const remade = /^(?:so|happen|real|official|then|now|please)$/
const timeWord = /^(?:tomorrow|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend)$/
const numberWord =
  /^(?:\d.*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|half|double|dozen)$/
/** A message with at most this many words must consist of known words only. */
const shortWords = 2

/** The lower-case words of a message, as the consent lists contain them. */
export const toConsentWords = (message: string): string[] => message.toLowerCase().replaceAll('’', "'").match(wordPattern) ?? []

/**
 * Whether a message can be a yes at all. It must contain no question, quotation or condition. At most one word may be neither
 * in a known yes nor in the proposal. Code decides this, whatever the classifier says.
 */
export const canBeYes = (message: string, { known, proposed }: { known: ReadonlySet<string>; proposed: string }): boolean => {
  const text = message.toLowerCase().replaceAll('’', "'")
  if ([conditional, asking, telling].some(it => it.test(text))) return false
  const said = toConsentWords(text)
  const own = new Set(toConsentWords(proposed))
  const isNamed = (word: string) => own.has(word) && said.length > shortWords
  const strange = said.filter(it => !known.has(it) && !isNamed(it))
  const prices = (proposed.match(/\d+(?:\.\d+)?/g) ?? []).map(Number)
  const isPrice = (it: string) => prices.includes(Number(it)) || prices.includes(Number(it) / 100)
  // A number or value that is not in the proposal is a change: "make that thirty", "go with green".
  if (
    strange.some(it => numberWord.test(it) && !isPrice(it)) ||
    said.some((it, at) => strange.includes(it) && valueLead.test(said[at - 1] ?? ''))
  )
    return false
  const isRemade = (it: string, at: number) =>
    /^(?:it|that|this|them)$/.test(it) &&
    said[at - 1] === 'make' &&
    said[at + 1] !== undefined &&
    !remade.test(said[at + 1] ?? '')
  const isTimed = said.some(it => timeWord.test(it) && !own.has(it))
  if (isTimed || said.some(isRemade)) return false
  return said.some(it => known.has(it)) && strange.length <= (said.length > shortWords ? 1 : 0)
}
