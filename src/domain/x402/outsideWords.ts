import { minuteMs } from '../durations.ts'
import type { Json } from '../json.ts'
import { toCost } from '../money/money.ts'
import type { Scheme } from './x402.ts'

/** What checks found of a listed resource: when it last answered as listed, and the newest checks, `1` for each that passed. */
export type Checked = { aliveAt: number | undefined; recent: string }

/** What people are told of a resource outside of the market. @param now epoch ms */
export const toOutsideWords = ({ aliveAt, recent }: Checked, now: number): string => {
  const answered = recent.replaceAll('0', '').length
  const seen = aliveAt === undefined ? 'not seen alive' : `last seen alive ${ago(now - aliveAt)}`
  return `outside, paid at once, no escrow, ${seen}, answered ${answered} of ${recent.length}`
}

const ago = (ms: number): string => {
  const minutes = Math.max(0, Math.floor(ms / minuteMs))
  return minutes === 0 ? 'less than a minute ago' : minutes === 1 ? '1 minute ago' : `${minutes} minutes ago`
}

type Named = { name: string; url: string; price: string; scheme: Scheme; words: string; method: 'GET' | 'POST'; example: Json }

/**
 * Resources of other services for people, and what to say to buy the first one. Names are the sellers' words; prices and payees
 * are those of a check.
 */
export const toOutsideText = (found: Named[]): string => {
  const [first] = found
  if (!first) return ''
  const named = found.map(it => `“${it.name}” for ${toCost(it.price, it.scheme === 'upto')} USDC at ${it.url} (${it.words})`)
  const body = first.method === 'POST' ? ` with ${JSON.stringify(first.example)}` : ''
  const how = `To buy there, say it yourself, for example: pay ${first.url}${body}`
  return `Other services say that they do it: ${named.join('; ')}. ${how}`
}

/** Difference in coverage (0–1) up to which two listings count as doing the same, and factor of a like price. */
const [sameCoverage, likePrice] = [0.15, 1.5]

type Placed = { coverage: number; price: number }

/** How many of the market's hits, best first, come before an outside one: up to the last that does the same at a like price. */
export const toPlace = (outside: Placed, market: Placed[]): number =>
  market.findLastIndex(it => it.coverage >= outside.coverage - sameCoverage && it.price <= outside.price * likePrice) + 1
