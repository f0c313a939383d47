import { formatUsdc, parseUsdc } from '../../domain/money.ts'
import { toUsdc } from '../format.ts'
import type { Payout } from '../wire.ts'

const dayMs = 86_400_000
const shownDays = 14
const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })
const startOf = (at: number): number => new Date(at).setHours(0, 0, 0, 0)

/** More than any USDC has. */
const decimals = 18
const toUnits = (amount: number): bigint => parseUsdc(amount, decimals) ?? 0n
const toText = (units: bigint) => toUsdc(formatUsdc(units, decimals))

/** Sums of the last days, oldest first, in the viewer's zone. */
const byDay = (payouts: Payout[], now: number): { at: number; sum: bigint }[] => {
  const sums = new Map<number, bigint>()
  for (const { ts, amount } of payouts) {
    const at = startOf(new Date(ts).getTime())
    sums.set(at, (sums.get(at) ?? 0n) + toUnits(amount))
  }
  // Half a day more than the distance keeps days of 23 and 25 hours apart.
  return Array.from({ length: shownDays }, (_, index) => startOf(startOf(now) - (shownDays - 1 - index) * dayMs + dayMs / 2)).map(
    at => ({
      at,
      sum: sums.get(at) ?? 0n,
    }),
  )
}

/** What an agent earned over the last two weeks, day by day. */
export const Earnings = ({ payouts }: { payouts: Payout[] }) => {
  const days = byDay(payouts, Date.now())
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
