import { toOwnUrls } from '../text/ownWords.ts'
import { toAtoms, toPlain } from './atoms.ts'
import { readingsOf } from './parse.ts'
import { payments } from './payments.ts'

const body = /[{[][\s\S]*[}\]]/
const figure = /^\$?\d[\d.,]*(?:usdc|usd|c|ct|\$)?$/
const maxAtoms = 40

/**
 * Reads by form whether a message asks to pay an address. `pay`: it says so, and asks for nothing else. `fetch`: it asks for the
 * answer of an address, and for nothing else, without a word of paying. Undefined for every other message.
 */
export const readPayment = (message: string): 'pay' | 'fetch' | undefined => {
  const urls = toOwnUrls(message)
  if (urls.length === 0) return undefined
  const rest = urls.reduce((text, url) => text.replaceAll(url, ' '), message).replace(body, ' ')
  const words = toAtoms(toPlain(rest).replaceAll('?', ' ')).map(it => (figure.test(it) ? '0' : it))
  if (words.length > maxAtoms) return undefined
  const readings = readingsOf(payments(), words)
  if (readings.length === 0) return undefined
  return readings.some(units => units.some(it => it.role === 'order')) ? 'pay' : 'fetch'
}
