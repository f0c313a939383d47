import { readConsent } from '../../domain/consent/readConsent.ts'

// What people say at an open question instead of an answer: that they think, ask or look first, or that they do not know.

const soon = '(?:a |one |just a |half a )?(?:sec(?:ond)?s?|moment|minute|min|mo|bit|tick|while)'
const deed =
  '(?:think|sleep on|check|see|look|ask|talk|speak|discuss|decide|find out|get back|come back|let you know|tell you|consult|measure|search|dig|figure|wait|have a (?:think|look))'
const phrases = [
  `(?:please )?let (?:me|us) ${deed}`,
  `(?:i|we)(?:['’]ll| will|['’]d| would|['’]ve| have)? (?:just |first |really |rather |better |still )?(?:need to|have to|must|should|want to|got to|gotta|like to)? ?(?:just |first )?${deed}`,
  `(?:hang|hold) on(?: ${soon})?`,
  `(?:please )?(?:wait|give me|gimme)(?: ${soon})?`,
  `(?:one|just a|half a) (?:sec(?:ond)?|moment|minute|mo)`,
  `(?:i|we)(?: really)? (?:don['’]?t|do not) (?:know|remember|have (?:it|that|them))(?: yet| now| here| by heart)?`,
  `(?:i|we)(?:['’]m| am|['’]re| are) (?:still )?(?:not sure|unsure|undecided|thinking|deciding|looking|checking)`,
  '(?:not sure|no idea|no clue|dunno|later|not (?:right )?now|maybe later|brb|good question)(?: yet)?',
  '(?:ask|tell|remind) me (?:again )?(?:later|tomorrow|in a)',
  '(?:can|could|may) (?:i|we) (?:tell|say|decide|answer|do|send|give)(?: you)?(?: that| it| this)? later',
]
const stall = new RegExp(
  String.raw`^\W*(?:(?:oh|hm+|um+|uh|well|ok(?:ay)?|sorry|actually|no|so)[\s,.…]+)*(?:${phrases.join('|')})(?![\p{L}])[^,.;:!?\n—–]{0,60}(?:$|[,.;:!?\n—–]+\s*)`,
  'iu',
)
const mostStalls = 3

/** An answer without the words that only put it off: "hang on, it's Bremen" is "it's Bremen"; empty where nothing else is said. */
export const withoutStalling = (said: string): string => {
  let left = said.trim()
  for (let count = 0; count < mostStalls && stall.test(left); count += 1) left = left.replace(stall, '').trim()
  return left
}

const asking =
  /^\W*(?:but |and |so |ok |wait )?(?:why|what|how|which|who|where|when|do|does|did|can|could|is|are|must|should|would|will)\b/i
const back = /\b(?:you|your|that|this|it|these|those|options?|possible|need(?:ed)?|mean|matter)\b/i
const questionWords = 12
/** Whether an answer is a question about what was asked: "why do you need that?" */
export const asksBack = (said: string): boolean =>
  /\?\s*$/.test(said) && asking.test(said) && back.test(said) && said.split(/\s+/).length <= questionWords

const person = String.raw`(?:(?:my|the|our) \p{Ll}+|\p{Lu}\p{L}+|him|her|them)`
const before = '(?:think|sleep on|check|ask|talk|speak|discuss|decide|get back|come back|let you know|tell you|consult|wait)'
const agrees = '(?:agree|see|check|look|approve|decide|confirm|know|say yes)'
const waits = [
  `(?:please )?let (?:me|us)(?: just| first)? ${before}`,
  `(?:[iI]|we)(?:['’](?:ll|d|ve))?(?: (?:will|would|have to|need to|must|should|want to|got to|better|rather|first|just|still)){0,3} ${before}`,
  `(?:hang on|hold on|(?:please )?wait|give me ${soon}|not (?:yet|now|right now)|(?:maybe )?later)`,
  `${person} (?:has to|have to|needs to|must|wants to|should) ${agrees}`,
  `(?:ask|call|check with) ${person}`,
]
const more = `(?: (?:about|over|on|with|to|it|that|this|${person}|first|though|again|yet|then|tonight|tomorrow|later|you|before))*`
const waiting = new RegExp(`^(?:${waits.join('|')})${more}$`, 'u')
const mostChars = 200

/** Whether a reply to a proposal puts the answer off, and says nothing else: "Sounds good, but let me ask Maria first". */
export const putsOff = (said: string): boolean => {
  if (said.length > mostChars) return false
  const clauses = said
    .split(/[,.;!\n—–]+|(?<!\p{L})but(?!\p{L})/u)
    .map(it => it.trim().replace(/^\p{Lu}(?=\p{Ll})/u, it => it.toLowerCase()))
    .filter(it => it !== '')
  const isWait = (it: string) => waiting.test(it)
  return clauses.some(isWait) && clauses.every(it => isWait(it) || ['yes', 'unclear'].includes(readConsent(it) ?? ''))
}
