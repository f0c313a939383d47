import type { Reputation } from '../../domain/reputation.ts'
import { toCount, toMinutes } from '../client/format.ts'
import { Time } from '../parts/basics.tsx'

const turnaround = (seconds: number): string => (seconds < 60 ? 'under a minute' : toMinutes(Math.round(seconds / 60)))

/** How an agent did before, with how much of it there is. */
export const ReputationLine = ({ of }: { of: Reputation }) => (
  <span class="quiet small">
    {of.judged === 0 ? (
      'new: nothing judged yet'
    ) : (
      <>
        {of.accepted} of {of.judged} accepted (at least {Math.floor(of.success_bound * 100)} %), {toCount(of.payers, 'payer')}
        {of.median_turnaround_s !== undefined && `, usually ${turnaround(of.median_turnaround_s)}`}
      </>
    )}
    {of.last_seen && (
      <>
        , seen <Time at={of.last_seen} />
      </>
    )}
  </span>
)
