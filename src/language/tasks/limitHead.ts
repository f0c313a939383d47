import { withoutWhole } from '../../domain/plans/references.ts'
import { takeDeadline, takePrice } from '../text/limits.ts'
import { findNames, languages } from '../words/intl.ts'
import { toNumber } from '../words/numerals.ts'
import { isDeed } from '../words/vocabulary.ts'
import { splitWords, toMeaning } from '../words/words.ts'
import { announced } from './units.ts'

/** Whether a text says nothing but a limit: "at most 2 USDC in total". */
export const isLimit = (text: string): boolean => {
  const price = takePrice(withoutWhole(text))
  const time = takeDeadline(price.rest)
  return (price.found !== undefined || time.found !== undefined) && toMeaning(time.rest).length === 0
}

const headed = /^([^:：\n]{4,100})[:：]\s+(?=\S)/u
const pointing =
  /(?<!\p{L})(?:this|these|follow(?:s|ing)|below|here|attached|notes?|minutes|text|list|message|letter|mail)(?!\p{L})/iu
/** Words that say when, where or of how much something is asked for: "For Saturday", "I'm going to Oban", "A bill of 75". */
const placing = /^(?:for|on|in|at)\s+(?:\p{Lu}|\d|tomorrow|today|next|this)/u
const telling = /^(?:tonight|tomorrow|(?:i|we)(?:['’](?:m|re)| am| are) (?:going|travell?ing|driving|flying|moving|off) to)\s/u
const isPlacing = (said: string): boolean => {
  const text = said.charAt(0).toLowerCase() + said.slice(1)
  return (placing.test(text) || telling.test(text)) && findNames(said, languages()).length === 0
}

/**
 * A message without its head before a colon. `count`: the number of tasks that the head announces, as "Two things:" does.
 * `shared`: a head that asks for nothing itself, such as "For Saturday:", is said of all tasks that follow.
 */
export type Headed = { rest: string; count?: number; shared?: string }

/** Takes the head from a message. A head that asks for work on the text behind it stays. */
export const takeHead = (message: string): Headed => {
  const [whole = '', said = ''] = headed.exec(message) ?? []
  const rest = message.slice(whole.length)
  const [, count] = announced.exec(said) ?? []
  if (count !== undefined || isLimit(said)) return { rest, ...(count && { count: toNumber(count) }) }
  const words = splitWords(said)
  const isOne = !/[.!?]\s/.test(said)
  const isShared = isOne && isPlacing(said) && !pointing.test(said) && !words.some(isDeed)
  return isShared ? { rest, shared: said } : { rest: message }
}
