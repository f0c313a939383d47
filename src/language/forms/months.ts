import { byPattern } from './form.ts'

const names = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const month =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'

/** Months with their year, which have the form `2027-05` (ISO 8601, calendar month) besides the said one. */
export const months = byPattern({
  form: 'month',
  pattern: new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:(?:${month})\.?,? (?:20\d{2})|20\d{2}-(?:0[1-9]|1[0-2]))(?![\p{L}\p{N}]|-\d)`,
    'giu',
  ),
  alike: said => {
    const at = names.indexOf(said.slice(0, 3).toLowerCase())
    return at < 0 ? [] : [`${said.slice(-4)}-${String(at + 1).padStart(2, '0')}`]
  },
  examples: { 'in May 2027 or Sept. 2028': ['May 2027', 'Sept. 2028'], 'from 2027-05': ['2027-05'] },
  counterExamples: ['12 May 2027-05-12', 'maybe 2027', 'May I ask', '2027-13'],
})
