import { formatUsdc, maxDecimals, parseUsdc } from '../../domain/money/money.ts'
import type { EarnedRecord as Earned } from '../../records/market/earnings.ts'
import { toDay, toUsdc } from '../client/format.ts'
import { t } from '../client/words.ts'
import { lastDays } from './days.ts'

const shownDays = 14

const toUnits = (amount: string): bigint => parseUsdc(amount, maxDecimals) ?? 0n
const toText = (units: bigint) => toUsdc(formatUsdc(units, maxDecimals))

/** Returns the path of an agent's earnings for each of the last days in the viewer's time zone. */
export const earningsOf = (agentId: string): string => {
  const starts = lastDays(shownDays, Date.now()).map(it => new Date(it).toISOString())
  return `/agents/${encodeURIComponent(agentId)}/earnings?${new URLSearchParams({ starts: starts.join() })}`
}

const feesOf = (fees: { amount: string }[]) => toText(fees.reduce((sum, it) => sum + toUnits(it.amount), 0n))

export const Earnings = ({ earned }: { earned: Earned[] }) => {
  const days = earned.map(({ from, amount }) => ({ at: Date.parse(from), sum: toUnits(amount) }))
  const most = days.reduce((sum, it) => (it.sum > sum ? it.sum : sum), 0n)
  const fees = earned.flatMap(({ token_fees: it }) => (it && it.currency !== 'USDC' ? [it] : []))
  const total = toText(days.reduce((sum, it) => sum + it.sum, 0n))
  return (
    <section class="card" aria-labelledby="earnings">
      <h2 id="earnings">{t('Earnings')}</h2>
      <p class="row">
        <span class="q s grow">{t('Last two weeks')}</span>
        <span class="price">
          {total} <small>USDC</small>
        </span>
      </p>
      {fees[0] && <p class="q s">{t('and {amount} of token fees', { amount: `${feesOf(fees)} ${fees[0].currency}` })}</p>}
      <svg class="bars" viewBox="0 0 640 150" role="img" aria-label={`${t('Earnings')}, ${t('Last two weeks')}: ${total} USDC`}>
        {[0.5, 1].map(share => (
          <path key={share} class="grid-line" d={`M0 ${126 - 108 * share}H640`} />
        ))}
        <path class="grid-line" d="M0 126H640" />
        {days.map(({ at, sum }, index) => {
          const height = most === 0n ? 0 : Number((1080n * sum) / most) / 10
          const step = 640 / shownDays
          return (
            <g key={at}>
              <rect
                class={sum === most && most > 0n ? 'best' : undefined}
                x={index * step + 8}
                y={126 - height}
                width={step - 16}
                height={height}
                rx="4"
              >
                <title>{`${toDay(at)}: ${toText(sum)} USDC`}</title>
              </rect>
              {index % 7 === 0 && (
                <text x={index * step + step / 2} y="145" text-anchor="middle">
                  {toDay(at)}
                </text>
              )}
            </g>
          )
        })}
      </svg>
    </section>
  )
}
