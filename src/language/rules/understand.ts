import type { Understanding } from '../../ports.ts'
import { takeCategory, takeChain, takeDeadline } from '../text/wishes.ts'
import { toMeaning } from '../words/words.ts'
import { split } from './material.ts'
import { readHireSentence, takeHandle, takeId, takePrice } from './phrases.ts'

const taskChars = 500
/** Maximum words of an amendment; a longer message is a new task. */
const amendmentWords = 12
const phraseChars = 80

const greeting =
  /^(?:(?:hi|hello|hey|howdy|yo|greetings|good (?:morning|day|afternoon|evening)|thanks?(?: you)?(?: (?:so|very) much)?|thank you(?: (?:so|very) much)?|cheers|bye|goodbye|see you|nice|great|cool|how are you(?: doing)?|what'?s up|there|butler|again|all|everyone|sir|madam|friends?|folks|team|h+m+|well|whatever|please)[\s,.!?]*)+$/i
const helpQuestion =
  /^(?:help|commands?|usage|(?:what|how) (?:can|do|does|should|is) (?:you|i|this|it)(?: (?:do|work|use|start|begin|hire|go|all|about|help|for|me|with|an?|agents?|this|service|marketplace))*|how (?:you|it|this) works?|who are you|what are you|how (?:to start|do i (?:start|begin)))[\s,.!?]*(?:please)?[\s.!?]*$/i
const correcting =
  /^(?:make (?:it|that|this)|rather|actually|instead|no,|change |cheaper|(?:it'?s |that'?s )?too (?:much|expensive|dear|costly))|\b(?:instead|rather)\b/i
const adding = /^(?:and |but |also |with |without |in |under |below |at most |(?:a )?different )/i
/** Matches "topic: dogs", the form that a proposal suggests for changes. */
const field = /^\p{L}{1,30}(?:[ _-]\p{L}{1,30})?\s*[:=](?!\/\/)\s*\S/u
const asking =
  /^(?:please |can |could |would |will |i (?:want|need|would)|i'd |find |get |show |give |book |write |tell |what|how|who|where|when|which|hire )|\?\s*$/i
const amendmentLead =
  /^(?:no[,\s]+)?(?:actually|rather|instead|but|and|also|make (?:it|that|this)|change (?:it|that|this)(?: to)?)\b[\s,]*|[\s,]*\b(?:instead|rather)\b/gi

const addresses = /\bhttps?:\/\/\S+|\b[\w.+-]{1,64}@[\w-]{1,63}\.[\w.]+/gi

/** Normalises a task to one line for the search. */
const tidy = (text: string) =>
  text
    .slice(0, taskChars * 4)
    .replace(addresses, ' ')
    .replace(/\bpl[sz]\b/gi, 'please')
    .replace(/\s+/g, ' ')
    .replace(/\s+([.,;:!?])/g, '$1')
    .replace(/([.,;:!?])(?:\s*[.,;:])+/g, '$1')
    .replace(/^[\s.,;:!?]+|[\s,;:]+$/g, '')
    .slice(0, taskChars)
    .trim()

const isShort = (message: string) => message.split(/\s+/, amendmentWords + 1).length <= amendmentWords

type Wishes = Pick<Understanding, 'maxPrice' | 'agent' | 'deadline' | 'chainId' | 'category'>
type Reading = { message: string; task: string } & Wishes

/** Reads price, deadline, chain and category, and returns the remaining words of the task. */
const readWishes = (words: string): { wishes: Omit<Wishes, 'agent'>; rest: string } => {
  const price = takePrice(words)
  const deadline = takeDeadline(price.rest)
  const chain = takeChain(deadline.rest)
  const category = takeCategory(chain.rest)
  const wishes = { maxPrice: price.found, deadline: deadline.found, chainId: chain.found, category: category.found }
  return { wishes, rest: category.rest }
}

/** Reads a price limit in the last clause of the material. A price elsewhere belongs to the material. */
const closingPrice = (material: string): string | undefined => {
  const { found, rest } = takePrice(material.slice(material.search(/[.,;\n][^.,;\n]{0,80}(?:\.\d+[^.,;\n]{0,80})?[.\s]*$/) + 1))
  return toMeaning(rest).length === 0 ? found : undefined
}

const readMessage = (message: string): Reading => {
  const hire = readHireSentence(message)
  if (hire) {
    const { found: agent = takeHandle(hire.frame).found } = takeId(hire.frame)
    return { message, task: tidy(`${hire.service} ${split(hire.task).request}`), ...readWishes(hire.frame).wishes, agent }
  }
  const { found: id, rest } = takeId(message)
  const { request, material, isEnclosed } = split(rest)
  const { wishes, rest: unwished } = readWishes(request)
  const { found: handle, rest: task } = id ? { found: undefined, rest: unwished } : takeHandle(unwished)
  // "Use babel: translate …" names only an agent before the colon.
  if (handle && toMeaning(task).length === 0 && material) return { ...readMessage(material), message, agent: handle }
  return {
    message,
    task: tidy(task),
    ...wishes,
    maxPrice: wishes.maxPrice ?? (isEnclosed ? undefined : closingPrice(material)),
    agent: id ?? handle,
  }
}

/** Whether a message states only a limit or an agent, or explicitly corrects the previous request. */
const isCorrection = (message: string): boolean => {
  const { message: _, task, ...wishes } = readMessage(message)
  if (Object.values(wishes).some(it => it !== undefined) && toMeaning(task).length === 0) return true
  return isShort(message) && correcting.test(message.trim())
}

/** Whether a message changes the previous request and is not a new one. */
const isAmendment = (message: string): boolean =>
  isCorrection(message) ||
  (isShort(message) && adding.test(message.trim())) ||
  (field.test(message.trim()) && !asking.test(message.trim()))

/** Returns the corrected value without the words of correction. */
const toCorrected = (message: string): string =>
  message
    .trim()
    .replace(/^no[,\s]+/i, '')
    .replace(amendmentLead, ' ')
    .trim()

const amend = (before: Reading, later: Reading): Reading => ({
  message: later.message,
  task: tidy(`${before.task} ${toCorrected(later.task)}`),
  maxPrice: later.maxPrice ?? before.maxPrice,
  agent: later.agent ?? before.agent,
  deadline: later.deadline ?? before.deadline,
  chainId: later.chainId ?? before.chainId,
  category: later.category ?? before.category,
})

// Messages between the first and the last usually answer questions. They do not change the task unless they ask for something.
const combine = (before: Reading, later: Reading, isLast: boolean): Reading => {
  if (before.message && isAmendment(later.message)) return amend(before, later)
  if (!before.message) return later
  if (isLast || asking.test(later.message.trim())) return later
  return before
}

const nothingSaid: Reading = {
  message: '',
  task: '',
  maxPrice: undefined,
  agent: undefined,
  deadline: undefined,
  chainId: undefined,
  category: undefined,
}

const intentOf = (message: string, { task, agent }: Reading): Understanding['intent'] => {
  // Only a short message can be a bare phrase. Longer ones are not matched, because the patterns would take too long.
  const bare = message.trim().length <= phraseChars ? message.trim() : ''
  if (greeting.test(bare)) return 'smalltalk'
  if (helpQuestion.test(bare)) return 'help'
  return toMeaning(task).length === 0 && !agent ? 'help' : 'task'
}

/** Reads a task and its limits with patterns. Later messages amend or replace the first. */
export const understand = (said: string[]): Understanding => {
  const whole = said
    .map(readMessage)
    .reduce((before, later, index) => combine(before, later, index === said.length - 1), nothingSaid)
  const intent = intentOf(said.at(-1) ?? '', whole)
  const { message: _, ...read } = whole
  return { ...read, intent, task: intent === 'task' ? whole.task : '' }
}
