import { minuteMs } from '../../domain/durations.ts'
import { deadlines, toRefundedBy } from '../../domain/jobs/deadlines.ts'
import type { Proposal } from '../../domain/runs/proposal.ts'
import { toLabel, toMinutes, toMoment } from '../client/format.ts'
import { t } from '../client/words.ts'

/** The deadlines of an accepted proposal: for the deliverable, and for the refund without one. Undefined before acceptance. */
export type Agreed = { submit_by: string; refunded_by: string } | undefined

/** Returns the deadlines in words. They start at acceptance, so before it they are durations, and afterwards times. */
export const promiseOf = ({ slaMinutes }: Pick<Proposal, 'slaMinutes'>, agreed: Agreed): string => {
  if (agreed) {
    const at = { delivery: toMoment(agreed.submit_by), refund: toMoment(agreed.refunded_by) }
    return t('By {delivery}, or your money is back by {refund}', at)
  }
  const span = deadlines(slaMinutes, 0)
  const minutes = (ms: number) => toMinutes(Math.ceil(ms / minuteMs))
  const within = { delivery: minutes(span.submitBy), refund: minutes(toRefundedBy(span)) }
  return t('Within {delivery} of your yes, or your money is back within {refund}', within)
}

/** Lists the parts of the deliverable: "City, time zone, local time". */
export const gainOf = ({ youGet }: Pick<Proposal, 'youGet'>): string => {
  if (youGet.length === 0) return t('One text')
  const names = youGet.map(({ field }) => toLabel(field))
  const lower = names.map((it, at) => (at === 0 || /^\p{Lu}{2}/u.test(it) ? it : it.charAt(0).toLowerCase() + it.slice(1)))
  return lower.join(', ')
}
