import { errorsOf, type Finding, ruleOn } from '../jobs/acceptance.ts'

/** Text of a verdict. @param isLate the deliverable was not judged in time */
export const toVerdictText = (criteria: Finding[], isLate: boolean): string =>
  describe(criteria) + (isLate ? ' It had not been judged in time.' : '')

const describe = (criteria: Finding[]): string => {
  const errors = errorsOf(criteria).join(' ')
  const rule = ruleOn(criteria)
  const wrapping = criteria.find(it => it.kind === 'schema' && it.outcome === 'pass')?.evidence
  if (rule === 'accept') return wrapping ? `${passed}. ${wrapping}` : `${passed}.`
  return rule === 'doubt' ? `${passed}, but: ${errors}` : `${failed}: ${errors}`
}

const passed = 'The deliverable passes its checks'
const failed = 'The deliverable does not pass'
const repeatedText = ' It was sent back, and the agent submitted the same again.'

/** Maximum number of characters of a reason that is stored with a job. */
const reasonChars = 500

export const toRevisionReason = (errors: string[]): string => errors.join(' ').slice(0, reasonChars)

/** Reason of a job whose deliverable is rejected. @param isRepeated the revision equals the deliverable before */
export const toRejectionReason = (errors: string[], isRepeated: boolean): string => {
  const repeated = isRepeated ? repeatedText : ''
  return `${failed}: ${errors.join(' ')}`.slice(0, reasonChars - repeated.length) + repeated
}
