const agreeing = [
  'y|yes|yep|yeah|yup|sure|ok|okay|confirm(?:ed)?|approved?|agreed?|accept(?:ed)?|deal|sounds good|please do',
  'go(?: ahead)?|do it|hire(?: (?:it|them|him|her))?',
].join('|')
const refusing =
  'n|no|no (?:thank|want|need)|nope|nah|(?:cancel|stop)(?: (?:it|this|that))?|decline|reject|never ?mind|forget it|not now'
/** Ends a refusal. Before another word it turns that word round: "don't stop" refuses nothing. */
const unwilling = "(?:don'?t|do not)(?: (?:hire|do|confirm|approve|accept)(?: (?:it|this|that|them|him|her))?)?"

const politeness = 'please|pls|plz|then|now|thanks|thank you'
// Of a refusal these would leave open what is fine: "no, that's fine" may mean go on.
const praise = "that's fine|fine|great|perfect"

const sentence = (phrase: string, last: string, fillers: string) =>
  new RegExp(`^(?:(?:${phrase}|${fillers}) )*(?:${last})(?: (?:${fillers}))*$`)
const plainYes = sentence(agreeing, agreeing, `${politeness}|${praise}`)
const plainNo = sentence(refusing, `${refusing}|${unwilling}`, politeness)
/** Said when leaving as much as when agreeing. */
const farewell = /^(?:(?:ok|okay|great|perfect|fine) )+(?:thanks|thank you)$/
const doubt = /\?|\.\.|…/

/**
 * Reads a user's answer to a proposal. Code decides, never a model: only a message that says yes and nothing else is a yes.
 * Whatever is longer, mixed or in doubt is a change of terms, which voids the proposal instead of accepting it.
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

const leaving = /^(?:(?:please|no|thanks) )*(?:cancel|stop|never ?mind|forget it)(?: (?:it|this|that|please|thanks))*$/

/** Leaves a question unanswered and the task undone. A plain "no" does not: it may be the answer. */
export const isLeaving = (message: string): boolean =>
  leaving.test(
    message
      .toLowerCase()
      .replace(/[.,!;:\s]+/g, ' ')
      .trim(),
  )

/** A message that has one of these is no plain yes, whatever else it says. */
const conditional = /[?"“”«»„]|\.\.|…|\b(?:but|if|only|not|except|instead|unless|why|no|never|later|maybe|dont|cant)\b|n't\b/
const wordPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+(?:'\p{L}+)?|\p{Extended_Pictographic}/gu
/** A short yes has no room for a word that is in none. */
const shortWords = 2

export const toConsentWords = (message: string): string[] => message.toLowerCase().replaceAll('’', "'").match(wordPattern) ?? []

/**
 * Whether a message can be a yes at all: nothing in it asks, quotes or sets a condition, and at most one of its words stands
 * in no known yes and not in the proposal. Code decides this, whatever a reader thinks.
 */
export const canBeYes = (message: string, { known, proposed }: { known: ReadonlySet<string>; proposed: string }): boolean => {
  const text = message.toLowerCase().replaceAll('’', "'")
  if (conditional.test(text)) return false
  const said = toConsentWords(text)
  const own = new Set(toConsentWords(proposed))
  const isNamed = (word: string) => own.has(word) && said.length > shortWords
  const strange = said.filter(it => !known.has(it) && !isNamed(it))
  return said.some(it => known.has(it)) && strange.length <= (said.length > shortWords ? 1 : 0)
}
