import { minuteMs } from '../../domain/durations.ts'
import { deadlines, toRefundedBy } from '../../domain/jobs/deadlines.ts'
import type { Proposal } from '../../domain/runs/proposal.ts'
import { toLabel, toMinutes, toMoment } from '../client/format.ts'

/** The deadlines of an accepted proposal: for the deliverable, and for the refund without one. Undefined before acceptance. */
export type Agreed = { submit_by: string; refunded_by: string } | undefined

/** Returns the deadlines in words. They start at acceptance, so before it they are durations, and afterwards times. */
export const promiseOf = ({ slaMinutes }: Pick<Proposal, 'slaMinutes'>, agreed: Agreed): string => {
  if (agreed) return `By ${toMoment(agreed.submit_by)}, or your money is back by ${toMoment(agreed.refunded_by)}`
  const span = deadlines(slaMinutes, 0)
  const minutes = (ms: number) => toMinutes(Math.ceil(ms / minuteMs))
  return `Within ${minutes(span.submitBy)} of your yes, or your money is back within ${minutes(toRefundedBy(span))}`
}

/** Lists the parts of the deliverable: "City, time zone, local time". */
export const gainOf = ({ youGet }: Pick<Proposal, 'youGet'>): string => {
  if (youGet.length === 0) return 'One text'
  const names = youGet.map(({ field }) => toLabel(field))
  const lower = names.map((it, at) => (at === 0 || /^\p{Lu}{2}/u.test(it) ? it : it.charAt(0).toLowerCase() + it.slice(1)))
  return lower.join(', ')
}
