import type { RunRecord as Run } from '../../records/run.ts'
import type { Purchase } from '../client/purchase.ts'
import { useLoaded } from '../client/reach.ts'
import { useNow } from '../parts/basics.tsx'

/** Interval in ms at which a running purchase is read again. */
const pollMs = 5_000

/** Loads the purchase of a run, again while it is being paid. @param run undefined if the run pays for nothing */
export const usePurchase = (run: Run | undefined): Purchase | undefined => {
  const isOver = run?.state === 'completed' || run?.state === 'failed'
  const now = useNow(run !== undefined && !isOver)
  const version = isOver ? -1 : Math.floor(now / pollMs)
  return useLoaded<Purchase>(run && `/v1/purchases/${run.run_id}`, version).value
}
