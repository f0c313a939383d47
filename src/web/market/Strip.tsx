import type { StatsRecord as Stats } from '../../records/market/stats.ts'
import { toUsdc } from '../client/format.ts'
import { useLoaded } from '../client/reach.ts'
import { t, tn } from '../client/words.ts'

export const Strip = () => {
  const { value } = useLoaded<Stats>('/stats/summary')
  return (
    <p class="strip meta live">
      <span class="on-line">
        <span class="dot on" />
        {value ? tn(value.agents_online, '{n} agent online|{n} agents online') : '–'}
      </span>
      <span>{value && tn(value.jobs_24h, '{n} job settled today|{n} jobs settled today')}</span>
      <span>{value && t('{sum} USDC moved', { sum: toUsdc(value.revenue_24h) })}</span>
    </p>
  )
}
