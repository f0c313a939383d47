import type { Recogniser, Span } from './form.ts'

export const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const month =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
const before = '(?:in|for|until|till|by|from|since|this|next|of|during|from)'

/** A month with its year, with "next year", or alone after a preposition. */
const pattern = new RegExp(
  String.raw`(?<![\p{L}\p{N}-])(?:(?<iso>20\d{2}-(?:0[1-9]|1[0-2]))|(?<name>${month})\.?,? (?:of )?(?:(?<year>20\d{2})|(?<which>this|next) year)|(?<=(?<![\p{L}])${before} )(?<alone>${month}))(?![\p{L}\p{N}]|-\d|\.?,? \d)`,
  'giu',
)

/** The year of a month that was said without one: the month comes, or is this one. */
const yearOf = (at: number, which: string | undefined, now: number): number => {
  const today = new Date(now)
  const year = today.getUTCFullYear()
  if (which !== undefined) return /next/i.test(which) ? year + 1 : year
  return at < today.getUTCMonth() ? year + 1 : year
}

const find = (text: string, now = Date.now()): Span[] =>
  [...text.matchAll(pattern)].map(({ 0: said, index: from, groups = {} }): Span => {
    const { iso, name = groups.alone ?? '', year, which } = groups
    const at = monthNames.indexOf(name.slice(0, 3).toLowerCase())
    const written = iso ? [] : [`${year ?? yearOf(at, which, now)}-${String(at + 1).padStart(2, '0')}`]
    return { form: 'month', from, to: from + said.length, values: [said, ...written] }
  })

/** Months, which have the form `2027-05` (ISO 8601, calendar month) besides the said one. */
export const months: Recogniser = {
  form: 'month',
  find,
  examples: {
    'in May 2027 or Sept. 2028': ['May 2027', 'Sept. 2028'],
    'from 2027-05': ['2027-05'],
    'in March next year': ['March next year'],
    'some time in October': ['October'],
  },
  counterExamples: ['12 May 2027-05-12', 'maybe 2027', 'May I ask', '2027-13', 'on 3 June', 'we march on'],
}
