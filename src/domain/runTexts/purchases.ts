import type { Address, Hex } from '../hex.ts'
import type { JsonObject } from '../json.ts'
import { toLabelled } from '../text/labelled.ts'
import { toQuotable } from '../text/quotableText.ts'
import { deliveredIn } from '../x402/paidAnswer.ts'
import { isFree, isGood, isRefused } from '../x402/purchase.ts'
import { toStatusText } from './ends.ts'

const urlChars = 300
const quoted = (url: string) => toQuotable(url, urlChars)

export const toFreeText = (url: string, answer: string): string =>
  `${quoted(url)} answered without a payment:\n${toLabelled(answer)}\nNothing was paid.`

/** Text of a resource that is not bought. @param why a sentence */
export const toUnboughtText = (url: string, why: string): string => `I did not pay for ${quoted(url)}. ${why} Nothing was paid.`

/** A purchase that has ended. `total` is decimal USDC; `paid` what was taken of it, in the scheme `upto`. */
export type Bought = {
  url: string
  total: string
  paid?: string | undefined
  payTo: Address
  state: string
  status: number | undefined
  content: string | undefined
  hash: Hex | undefined
  reason: string
  requirement: JsonObject
}

/** What a seller that refused has said, as its own words. */
const saidBy = ({ content = '' }: Pick<Bought, 'content'>): string[] =>
  content === '' ? [] : [`It said:\n${toLabelled(content)}`]

export const toBoughtEndText = (it: Bought): string => {
  if (isRefused(it)) return [`${quoted(it.url)} refused the request. ${it.reason}`, ...saidBy(it)].join('\n')
  if (it.state === 'unpaid' && isFree(it)) return `${quoted(it.url)} answered:\n${toLabelled(it.content ?? '')}\n${it.reason}`
  if (it.state !== 'paid') return `${quoted(it.url)} was not paid. ${it.reason}`
  const sum = it.paid === undefined ? it.total : `${it.paid} of at most ${it.total}`
  const paid = `${sum} USDC went to ${it.payTo}${it.hash ? ` (transaction ${it.hash})` : ''}.`
  if (it.status === undefined || !isGood(it.status)) return `${it.reason || toStatusText(it.status)} ${paid}`
  return `${quoted(it.url)} answered:\n${toLabelled(deliveredIn(it.content ?? ''))}\n${paid}`
}
