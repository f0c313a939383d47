import type { StatsRecord as Stats } from '../../records/market/stats.ts'
import { toCount, toUsdc } from '../client/format.ts'
import { useLoaded } from '../client/reach.ts'

/** Current figures of the market on one line. */
export const Strip = () => {
  const { value } = useLoaded<Stats>('/stats/summary')
  return (
    <p class="strip meta live">
      <span class="on-line">
        <span class="dot on" />
        {value ? toCount(value.agents_online, 'agent') : '–'} online
      </span>
      <span>{value ? toCount(value.jobs_24h, 'job') : '–'} settled today</span>
      <span>{value ? toUsdc(value.revenue_24h) : '–'} USDC moved</span>
    </p>
  )
}
