import type { Period } from '../../domain/money/mandate.ts'

/** A message about mandates, parsed by rules and never by a model. `unclear`: it asks for a mandate in unknown words. */
export type MandateWords =
  | { kind: 'show' }
  | { kind: 'revoke' }
  | { kind: 'unclear' }
  | {
      kind: 'wish'
      maxPerPeriod: string
      period: Period
      maxPerJob: string | undefined
      askAbove: string | undefined
      until: string | undefined
      categories: string[]
    }

const messageChars = 500
const show = /^(?:please )?(?:(?:show|list|what are)(?: me)? )?(?:all )?my (?:mandate|spending limit)s?(?: please)?$/
const revoke =
  /^(?:please )?(?:revoke|cancel|end|stop|remove) (?:all )?(?:of )?(?:my|the) (?:mandate|spending limit)s?(?: please)?$/

const most = '(?:up to|at most|no more than|not more than|max(?:imum)?(?: of)?)'
const money = String.raw`\$?(\d{1,12}(?:\.\d{1,18})?)(?: ?(?:usdc|usd|dollars?))?`
const clauses = {
  period: new RegExp(`${most} ${money} ?(?:a|per|each|every|/) ?(day|week|month)\\b`, 'g'),
  job: new RegExp(`${most} ${money} ?(?:a|per|each|every|/) ?(?:job|hire|task)\\b`, 'g'),
  ask: new RegExp(`\\bask(?: me)?(?: first)?(?: about (?:anything|everything))? (?:above|over) ${money}`, 'g'),
  until: /\buntil (\d{4}-\d{2}-\d{2})\b/g,
  categories: /\b(?:only )?(?:for|in) (?:the )?categor(?:y|ies):? ([^.;]+)/g,
}
const fillers =
  /\b(?:please|you (?:may|can)|i allow you|to|spend|hire|(?:set|make|create|give)(?: (?:me|you))?|a (?:mandate|spending limit)(?: of| for)?|mandate|spending limit|and|but|without (?:asking|a question)(?: me)?(?: first)?)\b|[,.;:]/g
const asksForOne = /^(?:please )?(?:(?:set|make|create|give)\b.{0,20}\b(?:mandate|spending limit)\b|(?:mandate|spending limit):)/

/** Parses a message; undefined unless it is only about mandates. */
export const readMandateWords = (message: string): MandateWords | undefined => {
  if (message.length > messageChars) return undefined
  const text = message.toLowerCase().replace(/\s+/g, ' ').trim()
  const plain = text.replace(/[.!?,]+$/, '')
  if (show.test(plain)) return { kind: 'show' }
  if (revoke.test(plain)) return { kind: 'revoke' }
  return readWish(text)
}

const readWish = (text: string): MandateWords | undefined => {
  let rest = text
  const take = (pattern: RegExp) => {
    const found = [...rest.matchAll(pattern)]
    rest = rest.replace(pattern, ' ')
    return found
  }
  const until = take(clauses.until)
  const [period, job, ask, categories] = [clauses.period, clauses.job, clauses.ask, clauses.categories].map(take)
  const [limit] = period ?? []
  const isWhole =
    rest.replace(fillers, ' ').trim() === '' && [until, period, job, ask, categories].every(it => (it?.length ?? 0) < 2)
  const of = limit?.[2]
  if (!limit?.[1] || !isPeriod(of) || !isWhole) {
    const isOne = asksForOne.test(text) || (limit && ((job?.length ?? 0) > 0 || (ask?.length ?? 0) > 0))
    return isOne ? { kind: 'unclear' } : undefined
  }
  return {
    kind: 'wish',
    maxPerPeriod: limit[1],
    period: of,
    maxPerJob: job?.[0]?.[1],
    askAbove: ask?.[0]?.[1],
    until: until[0]?.[1],
    categories: (categories?.[0]?.[1] ?? '').split(/,|\band\b|\bor\b/).flatMap(it => it.trim() || []),
  }
}

const isPeriod = (text: string | undefined): text is Period => text === 'day' || text === 'week' || text === 'month'
