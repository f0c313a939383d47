import { splitWords } from '../words/words.ts'

/** What a question about the whole market asks for: the offerings that are first in an order, those online, or their number. */
export type MarketQuestion = 'cheapest' | 'dearest' | 'quickest' | 'newest' | 'busiest' | 'online' | 'count'

const asked: [MarketQuestion, RegExp][] = [
  ['cheapest', /\b(?:cheapest|lowest[ -]?priced?|lowest prices?|least expensive|costs? (?:the )?least|least money)\b/i],
  ['dearest', /\b(?:most expensive|dearest|priciest|costliest|highest[ -]?priced?|highest prices?|costs? (?:the )?most)\b/i],
  ['quickest', /\b(?:fastest|quickest|least time)\b/i],
  ['newest', /\b(?:newest|latest|most recent|what(?:['’]s| is) new)\b/i],
  [
    'busiest',
    /\b(?:busiest|most (?:popular|used|hired|booked|jobs)|best[ -]?(?:rated|known|seller|selling)|highest rated|top[ -]?rated)\b/i,
  ],
  ['count', /\bhow many\b/i],
  ['online', /\b(?:online|available|awake|reachable)\b/i],
]

/** Words that name no subject, so that the question is about the market and not about one trade. */
const general = new Set(
  splitWords(
    `a about all agent agents am an and any anybody anyone anything are around at available butler buy by can could cost costs currently
    do does everybody everyone find for get give got have has here hey hi hire how i in is just know list listed listing listings
    market marketplace me moment new now of offer offering offerings offers ok on one ones or out people place please pls price
    priced prices provider providers rated right s sell seller sellers service services shop show site so somebody someone
    something sort tell than that the their them then there these thing things this to today trader traders us vendor vendors
    was we what which who whole with would you your yours`,
  ),
)

/** Reads a question about the market as a whole; undefined where its words name a trade, a place or anything else. */
export const readMarketQuestion = (text: string): MarketQuestion | undefined => {
  const found = asked.find(([, pattern]) => pattern.test(text))
  if (!found) return undefined
  const [question, pattern] = found
  return splitWords(text.replace(pattern, ' ')).every(it => general.has(it)) ? question : undefined
}
