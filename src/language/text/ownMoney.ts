// What a user asks or demands of their own payments, by the form of the words: the subject is the user, the verb one of paying in
// the past, and nothing else is said but whom, when and for which job.

const maxChars = 160
const start = String.raw`^\W*(?:(?:so|and|but|well|ok(?:ay)?|hey|hi|wait|please|tell me|show me|can you tell me)[\s,]+)*`
const end = String.raw`\W*$`
const when = `(?:last|this|the last|the other|already|just|ever|so far|until now|up to now|now|today|yesterday|in total|in all|altogether|overall|here|again|before|earlier|time|week|month|times|days?|then|actually|really|exactly|recently|lately)`
const what = `(?:it|this|that|them|those|these|each|each one|each step|every|all|all of (?:it|them|this|that)|both|everything|anything|something|any|money|usdc|the (?:last|first|previous) (?:one|job|time|step|order|purchase)|the jobs?|my (?:jobs?|orders?|purchases?)|anyone|anybody|someone|somebody|whom|who|you|the (?:agents?|plan|result|sellers?))`
/** A handle shows that it is one by its hyphen, digit or sign. */
const handle = String.raw`(?:@[\w.-]+|[a-z\d]+(?:[-_][a-z\d]+)+|(?=[a-z]*\d)[a-z\d]+)`
const tail = String.raw`(?:[\s,]+(?:(?:on|to|for|from|by|with|at|in|of)\s+)?(?:${what}|${when}|${handle}))*`
const who = String.raw`(?:[\s,]+and (?:to )?(?:who|whom|what|which agents?|when|how much)(?: (?:(?:got|gets|received|took) (?:it|that|the money|paid)|for(?: what)?|did i (?:pay|buy)))?)?`
const question = String.raw`(?:(?:what|how much|how many|how often|whom?|which (?:agents?|ones?)|when|where|why|for what)(?: (?:money|usdc|of it))?(?: (?:in total|all))?\s+)?`
const spent = `(?:pay|paid|buy|bought|spend|spent|lose|lost|owe|owed)`
const back = `(?:get|gotten|got|receive|received)(?: (?:all|any|some))?(?: of)?(?: (?:my|the|any))? (?:money |usdc |refund |payment )?(?:back|refund(?:ed)?)`

const forms = [
  `${question}(?:did|have|had) (?:i|we) (?:already |just |ever |actually )?(?:${spent}|${back})`,
  `${question}(?:was|were|am|have|has|had) (?:i|we)(?: been)? (?:already |just |actually )?(?:charged|billed|debited|refunded)`,
  `${question}(?:did|have|had) you (?:already |just |actually )?(?:charge|charged|bill|billed|debit|debited|refund|refunded) (?:me|us)`,
  `(?:what|how much) (?:i|we)(?: have|['’]ve)? (?:already )?(?:paid|spent|bought)`,
  'who (?:got|was|were|has been|have i) paid(?: the (?:most|least))?',
  'who (?:got|received|took) (?:all )?(?:my|the) (?:money|payments?|usdc)',
  String.raw`(?:list|what (?:are|were)|give me|see|i (?:want|need|would like) to see)? ?(?:all )?(?:of )?my (?:last |latest |recent |past |previous |own |\d+ )*(?:receipts?|payments?|purchases|expenses|spendings?)`,
].join('|')
const asksOwn = new RegExp(`${start}(?:${forms})${tail}${who}${end}`, 'i')
/** A question that follows and asks about the same: "who is to blame?" */
const asksOn = /^\W*(?:and |so |but )?(?:who|whose|why|how come)\b(?:\s+\S+){0,5}\W*$/i

const demand =
  /(?:^|[\s,;.!?])(?:i (?:want|need|demand|would like)|i['’]d like|give me|(?:please )?(?:return|refund)(?: me)?)(?: (?:to (?:get|have)|all(?: of)?))? my money(?: back)?(?: (?:please|now|at once|immediately|then))*\W*$/i
/** What a demand names as its reason: the result, and nothing to be done. */
const reasoned =
  /^\W*(?:(?:so|no|but|well|hey|sorry|ok)[\s,]+)*(?:(?:the|this|that|your|its?|it['’]s|these|those|you|i)(?!\p{L})[^\n"“:]*)?$/iu

/** Whether a message asks what its user paid, bought or got back, or demands the money back; undefined for every other message. */
export const readOwnMoney = (message: string): 'spending' | 'refund' | undefined => {
  const text = message.trim()
  if (text.length > maxChars || /["“”\n:]/.test(text)) return undefined
  const found = demand.exec(text)
  if (found && reasoned.test(text.slice(0, found.index))) return 'refund'
  const [first = '', ...more] = text.split(/(?<=[?.!])\s+/)
  return asksOwn.test(first) && more.every(it => asksOn.test(it)) ? 'spending' : undefined
}
