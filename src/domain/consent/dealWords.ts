import { refusesIn } from './readConsent.ts'

// A task that is ordered, or that a mandate pays for, says what is to be done. These words say something about the hire itself.

const deal = String.raw`(?:re)?hir(?:e|es|ed|ing)|buy|buys|buying|bought|purchas\w*|pay|pays|paying|paid|payments?|spend|spends|spending|spent|charg(?:e|es|ed|ing)|escrow\w*|refund\w*|budget|wallet|mandates?|proposals?|propos(?:e|ed|ing)|invoic\w*|jobs?`
const leave = String.raw`confirm\w*|approv\w*|agree\w*|permission|consent\w*|authori[sz]\w*|sign(?:s|ed)? off|say so|said so|say yes|green light|go ahead|ok(?:ay)? from|my (?:ok(?:ay)?|yes|word|signal|boss|wife|husband|manager)`
const back = String.raw`cancel\w*|abort\w*|revok\w*|withdr[ae]w\w*|never ?mind|nvm|forget (?:it|this|that|about|all|everything|what|i)|ignore\w*|disregard\w*|scratch (?:that|this)|strike that|tak(?:e|ing) (?:it|that|this) back|chang(?:e|ed|ing) my mind|kidding|jok(?:e|es|ing)|jk|not? (?:real|really|serious\w*)|only (?:a )?test\w*|just (?:a )?test\w*|a test|testing|hypothetical\w*|pretend\w*|suppos(?:e|ing)|what if|for example only|an example|sarcas\w*`
const wait = String.raw`wait\w*|hold (?:on|off|it|that|this)|not yet|not now|not (?:for|un)til|later|postpone\w*|ask me|ask us|ask first|check with|let me|tell me first|until i|until we|before (?:i|you|we|that|doing|anything)|after (?:i|we|my)|when i|once i|only (?:if|when|once|after)|but only|unless|provided(?: that)?|in case|as long as|on condition`
const refusing = String.raw`(?:do|does|did|should|must|shall|would|will|could|can) ?n['’o]?t|(?:do|does|did|should|must|shall|would|will|could|can)n['’]?t|won['’]?t|don['’]?t|(?:i|we|please|but|rather|better|of course|certainly|absolutely) (?:do |would |will |am |are )?not|never (?:do|start|hire|buy|pay|mind)|no (?:thanks|thank you|way|deal|longer|need|hurry|more)|stop (?:it|this|that|here|now|everything)|leave it|drop it|skip it|refrain\w*|abstain\w*|declin\w*|reject\w*|refus(?:e|es|ed|ing)`
const toPattern = (...groups: string[]) => new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${groups.join('|')})(?![\p{L}\p{N}])`, 'iu')
const dealing = toPattern(deal)
const holding = toPattern(leave, back, wait, refusing)

/** Characters at either end of a text in which refusals of all languages are looked for. */
const edgeChars = 1_000

/** Signs that hide a word from its reader or from a rule. */
const hidden = /[\p{Cf}\u00ad]/gu

/** A text as these rules compare it. */
export const toBare = (text: string): string => text.normalize('NFKC').replace(hidden, '').replace(/\s+/g, ' ').trim()

/** Whether a bare text refuses, waits, takes something back, or leaves the decision to a later yes. */
export const holdsBack = (text: string): boolean =>
  holding.test(text) || refusesIn(text.slice(0, edgeChars)) || refusesIn(text.slice(-edgeChars))

/**
 * Whether a task says anything about hiring, paying, agreeing or waiting, or takes something back. Such words may also belong
 * to the material of the task; then the user is asked once.
 */
export const speaksOfDeal = (task: string): boolean => {
  const text = toBare(task)
  return dealing.test(text) || holdsBack(text)
}
