import { toUsdc } from '../format.ts'
import type { Payout } from '../wire.ts'

const dayMs = 86_400_000
const shownDays = 14
const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })
const startOf = (at: number): number => new Date(at).setHours(0, 0, 0, 0)

/** Sums of the last days, oldest first, in the viewer's zone. Drawn only: money is never added up from it. */
const byDay = (payouts: Payout[], now: number): { at: number; sum: number }[] => {
  const sums = new Map<number, number>()
  for (const { ts, amount } of payouts) {
    const at = startOf(new Date(ts).getTime())
    sums.set(at, (sums.get(at) ?? 0) + amount)
  }
  // Half a day more than the distance keeps days of 23 and 25 hours apart.
  return Array.from({ length: shownDays }, (_, index) => startOf(startOf(now) - (shownDays - 1 - index) * dayMs + dayMs / 2)).map(
    at => ({
      at,
      sum: sums.get(at) ?? 0,
    }),
  )
}

const round = (sum: number) => toUsdc(String(Math.round(sum * 1e6) / 1e6))

/** What an agent earned over the last two weeks, day by day. */
export const Earnings = ({ payouts }: { payouts: Payout[] }) => {
  const days = byDay(payouts, Date.now())
  const most = Math.max(...days.map(it => it.sum), 0)
  const total = round(days.reduce((sum, it) => sum + it.sum, 0))
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
            const height = most === 0 ? 0 : (100 * sum) / most
            return (
              <rect key={at} x={index * 50 + 9} y={100 - height} width="32" height={height}>
                <title>{`${day.format(at)}: ${round(sum)} USDC`}</title>
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
