import { toOwnUrls } from '../text/ownWords.ts'
import { toAtoms, toPlain } from './offer.ts'
import { readingsOf } from './parse.ts'
import { type Grammar, type Table, toGrammar } from './phrases.ts'

// Paying an address is asked for in so many words, and with nothing else to be done: "pay https://…, at most 0.05". A task that
// has a link and a limit is a task.

const table: Table = {
  order: `pay, (i|we) pay, (ill|i will|we will) pay, (i|we) (want|would like|need) to (pay|buy), paid, buy, purchase,
    unlock, spend, x402, paywalled
    pay (it|that|this), pay for (it|that|this), pay what it (asks|costs|charges)
    zahle, zahlen, bezahle, bezahlen, kaufe, kaufen, paga, pague, pagar, compra, compre, comprar, paie, payer, payez,
    achète, achetez
    acquista, compralo, öde, ödeyin, satın al, оплати, оплатите, заплати, заплатите, купи, купите, 支付, 付款, 购买, 購入して, 支払って`,
  aside: `please, pls, plz, (can|could|would|will) you, (i|we) (want|need|would like) (to|), (id|wed) like (to|), do, me,
    us, for (me|us), now, then, again
    instead, rather, as well, also, too, hey, hi, ok, so, thanks, thank you, and, but, with, by, in, via, through, using,
    of, from, at, on, to, for
    behind, the, a, an, this, that, it, its, one, my wallet, use my wallet (to|for|), just, only, as
    get, fetch, call, request, retrieve, load, download, open, query, ping, hit, bring, try, invoke, send, post, use,
    grab, order, make (it|a), take
    address, url, link, endpoint, api, resource, page, data, answer, response, content, report, article, feed, item,
    result, results, body, json
    premium, what, what does, it (returns|answers|gives|costs|asks|charges), returns, answers, charges, asks, charge,
    how much does, cost, costs
    at most, up to, max, maximum, (no|not) more than, less than, or less, limit, (my|) budget, at the most, below, under
    if it (is|costs) (below|under|at most|less than|up to), it (should cost|costs) (something|), is ok, is fine
    0, one, two, three, four, five, ten, cent, cents, usdc, usd, dollar, dollars
    (i|we) (found|came across) (this|a|an|the), there is (a|an|), a (colleague|friend) (showed|sent|gave) me
    bitte, für, höchstens, maximal, bis zu, den, die, das, por, favor, la, el, como máximo, hasta, pour, le, les, svp,
    au plus, per, al massimo
    fino a, o, até, lütfen, en fazla, için, за, пожалуйста, максимум, не больше, до, 请, 最多, ください`,
}

let compiled: Grammar | undefined

/** The grammar of payments: `order` says to pay, `aside` may stand beside it. */
const payments = (): Grammar => {
  compiled ??= toGrammar(table)
  return compiled
}

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
