import { withoutWhole } from '../../domain/plans/wholeWords.ts'
import { takeDeadline, takePrice } from '../text/limits.ts'
import { toMeaning } from '../words/words.ts'

const head = /^([^:：\n]{4,100})[:：]\s+(?=\S)/u

/** The message after a limit and a colon, such as "For at most 2 USDC in total:"; the message itself where none precedes it. */
export const withoutLimitHead = (message: string): string => {
  const [whole = '', said = ''] = head.exec(message) ?? []
  const price = takePrice(withoutWhole(said))
  const time = takeDeadline(price.rest)
  const isLimit = price.found !== undefined || time.found !== undefined
  return isLimit && toMeaning(time.rest).length === 0 ? message.slice(whole.length) : message
}
