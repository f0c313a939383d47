import { formatUsdc, parseUsdc } from '../../domain/money.ts'
import { toUsdc } from '../client/format.ts'
import type { Earned } from '../client/wire.ts'
import { lastDays } from './days.ts'

const shownDays = 14
const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })

/** More than any USDC has. */
const decimals = 18
const toUnits = (amount: string): bigint => parseUsdc(amount, decimals) ?? 0n
const toText = (units: bigint) => toUsdc(formatUsdc(units, decimals))

/** Where the earnings of an agent are told: day by day in the viewer's zone, summed over all payments. */
export const earningsOf = (agentId: string): string => {
  const starts = lastDays(shownDays, Date.now()).map(it => new Date(it).toISOString())
  return `/agents/${encodeURIComponent(agentId)}/earnings?${new URLSearchParams({ starts: starts.join() })}`
}

/** What an agent earned over the last two weeks, day by day. */
export const Earnings = ({ earned }: { earned: Earned[] }) => {
  const days = earned.map(({ from, amount }) => ({ at: Date.parse(from), sum: toUnits(amount) }))
  const most = days.reduce((sum, it) => (it.sum > sum ? it.sum : sum), 0n)
  const total = toText(days.reduce((sum, it) => sum + it.sum, 0n))
  return (
    <section class="card stack" aria-labelledby="earnings">
      <h2 id="earnings">Earnings</h2>
      <p class="big">
        {total} <span class="quiet small">USDC in two weeks</span>
      </p>
      <figure class="chart">
        <svg
          viewBox="0 0 700 100"
          preserveAspectRatio="none"
          role="img"
          aria-label={`Earnings of each of the last ${shownDays} days, ${total} USDC in all`}
        >
          {days.map(({ at, sum }, index) => {
            const height = most === 0n ? 0 : Number((1000n * sum) / most) / 10
            return (
              <rect key={at} x={index * 50 + 9} y={100 - height} width="32" height={height}>
                <title>{`${day.format(at)}: ${toText(sum)} USDC`}</title>
              </rect>
            )
          })}
        </svg>
        <figcaption class="quiet small">
          <span>{day.format(days.at(0)?.at)}</span>
          <span>{day.format(days.at(-1)?.at)}</span>
        </figcaption>
      </figure>
    </section>
  )
}
