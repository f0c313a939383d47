import type { Address, Hex } from '../hex.ts'
import { toLabelled } from '../labelled.ts'
import { toQuotable } from '../quotableText.ts'
import { toStatusText } from './ends.ts'

const urlChars = 300
const quoted = (url: string) => toQuotable(url, urlChars)

/** Text of a resource that answered without a payment. */
export const toFreeText = (url: string, answer: string): string =>
  `${quoted(url)} answered without a payment:\n${toLabelled(answer)}\nNothing was paid.`

/** Text of a resource that is not bought. @param why a sentence */
export const toUnboughtText = (url: string, why: string): string => `I did not pay for ${quoted(url)}. ${why} Nothing was paid.`

/** A purchase that has ended. `total` is decimal USDC. */
export type Bought = {
  url: string
  total: string
  payTo: Address
  state: string
  status: number | undefined
  content: string | undefined
  hash: Hex | undefined
  reason: string
}

/** Text of a purchase that has ended: the answer, and where its money is. */
export const toBoughtEndText = (it: Bought): string => {
  if (it.state !== 'paid') return `${quoted(it.url)} was not paid. ${it.reason}`
  const paid = `${it.total} USDC went to ${it.payTo}${it.hash ? ` (transaction ${it.hash})` : ''}.`
  const isGood = it.status !== undefined && it.status >= 200 && it.status < 300
  if (!isGood) return `${it.reason || toStatusText(it.status)} ${paid}`
  return `${quoted(it.url)} answered:\n${toLabelled(it.content ?? '')}\n${paid}`
}
