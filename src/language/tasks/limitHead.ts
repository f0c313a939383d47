import { withoutWhole } from '../../domain/plans/wholeWords.ts'
import { takeDeadline, takePrice } from '../text/limits.ts'
import { toMeaning } from '../words/words.ts'
import { announced } from './units.ts'

/** Whether a text says nothing but a limit: "at most 2 USDC in total". */
export const isLimit = (text: string): boolean => {
  const price = takePrice(withoutWhole(text))
  const time = takeDeadline(price.rest)
  return (price.found !== undefined || time.found !== undefined) && toMeaning(time.rest).length === 0
}

const head = /^([^:：\n]{4,100})[:：]\s+(?=\S)/u

/** The message after a limit or the number of its tasks and a colon, such as "For at most 2 USDC in total:" or "Two things:". */
export const withoutHead = (message: string): string => {
  const [whole = '', said = ''] = head.exec(message) ?? []
  return isLimit(said) || announced.test(said) ? message.slice(whole.length) : message
}
