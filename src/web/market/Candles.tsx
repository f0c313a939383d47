import type { CandleRecord as Candle } from '../../records/token.ts'
import { toDay } from '../client/format.ts'
import { t } from '../client/words.ts'

const [width, height] = [640, 260]
/** Edges of the area of the price bars. Labels are at its right; volumes and dates are below it. */
const [right, bottom, edge] = [544, 190, 12]
const [volumeTop, volumeBottom] = [204, 232]
/** Minimum number of bar positions, so that a few bars are not drawn as wide blocks. */
const minPlaces = 16

/** Draws price bars: the thin line from low to high, the body from open to close, and below them the traded volume. */
export const Candles = ({ candles, currency }: { candles: Candle[]; currency: string }) => {
  const [first, last] = [candles[0], candles.at(-1)]
  if (!first || !last) return null
  const low = Math.min(...candles.map(it => Number(it.low)))
  const high = Math.max(...candles.map(it => Number(it.high)))
  const volume = Math.max(...candles.map(it => Number(it.volume)))
  const step = right / Math.max(candles.length, minPlaces)
  const y = (price: number) => edge + (bottom - 2 * edge) * (high === low ? 0.5 : (high - price) / (high - low))
  const tall = (it: Candle) => (volume === 0 ? 0 : (Number(it.volume) / volume) * (volumeBottom - volumeTop))
  const price = Number(last.close)
  const prices = { first: first.open, last: last.close, low: String(low), high: String(high) }
  const label = t('Price from {first} to {last} {currency}, between {low} and {high}', { ...prices, currency })
  return (
    <svg class="candles" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {[high, low].map(it => (
        <g key={it} class="scale">
          <path d={`M0 ${y(it)}H${right}`} />
          {Math.abs(y(it) - y(price)) > 16 && (
            <text x={width} y={y(it) + 4} text-anchor="end">
              {toPrice(it)}
            </text>
          )}
        </g>
      ))}
      {candles.map((it, at) => {
        const [x, half] = [step * (at + 0.5), step * 0.32]
        const isUp = Number(it.close) >= Number(it.open)
        const [top, base] = [Math.max(Number(it.open), Number(it.close)), Math.min(Number(it.open), Number(it.close))].map(y)
        return (
          <g key={it.start} class={isUp ? 'up' : 'down'}>
            <path d={`M${x} ${y(Number(it.high))}V${y(Number(it.low))}`} />
            <rect x={x - half} y={top} width={2 * half} height={Math.max(1.5, (base ?? 0) - (top ?? 0))} />
            <rect class="volume" x={x - half} y={volumeBottom - tall(it)} width={2 * half} height={tall(it)} />
          </g>
        )
      })}
      <g class="now">
        <path d={`M0 ${y(price)}H${right}`} />
        <text x={width} y={y(price) + 4} text-anchor="end">
          {toPrice(price)}
        </text>
      </g>
      <g class="scale">
        <text x="0" y={height - 8}>
          {toDay(first.start)}
        </text>
        {candles.length > 1 && (
          <text x={Math.max(step * candles.length, 180)} y={height - 8} text-anchor="end">
            {toDay(last.start)}
          </text>
        )}
      </g>
    </svg>
  )
}

/** Formats a price with three significant digits, because a new token costs a tiny part of a dollar. */
export const toPrice = (price: number): string => price.toLocaleString('en', { maximumSignificantDigits: 3 })
