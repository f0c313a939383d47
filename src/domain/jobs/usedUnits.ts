import { secondMs } from '../durations.ts'
import type { JsonObject } from '../json.ts'
import { chargeUnits, type UsagePrice, type UsedUnits } from '../offerings/usagePrice.ts'
import type { Verdict } from './acceptance.ts'
import { type Examined, examine } from './deliverable.ts'

/** What the units of a job are counted from. Times are epoch ms. */
type Delivered = {
  terms: { usage?: UsagePrice | undefined }
  offering: { main?: string | undefined; deliverable: JsonObject }
  units: number | undefined
  leasedAt: number | undefined
  submittedAt: number | undefined
}

/** The units of a usage price that are charged for a deliverable; undefined for a fixed price. */
export const countUnits = (job: Delivered, { text, value }: Examined): UsedUnits | undefined => {
  const { terms, offering, units, leasedAt = 0, submittedAt = leasedAt } = job
  const seconds = Math.max(0, Math.ceil((submittedAt - leasedAt) / secondMs))
  // A completion without the units that only its agent knows is refused, so nothing is charged for it.
  return terms.usage && (chargeUnits(terms.usage.unit, units, { text, value, main: offering.main, seconds }) ?? { charged: 0 })
}

/** The units of a judged job. A verdict of an earlier release beside this one has none, so they are counted again. */
export const usedUnitsOf = (
  job: Delivered & { verdict: Verdict | undefined; deliverable: string | undefined },
): UsedUnits | undefined => job.verdict?.used ?? countUnits(job, examine(job.offering.deliverable, job.deliverable ?? ''))
