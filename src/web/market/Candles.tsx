import type { Candle } from '../client/wire.ts'

const [width, height, edge] = [640, 180, 8]

/** Draws price bars: the thin line from low to high, the body from open to close. */
export const Candles = ({ candles, currency }: { candles: Candle[]; currency: string }) => {
  const lows = candles.map(it => Number(it.low))
  const highs = candles.map(it => Number(it.high))
  const [least, most] = [Math.min(...lows), Math.max(...highs)]
  const step = width / Math.max(candles.length, 12)
  const y = (price: string) => edge + (height - 2 * edge) * (most === least ? 0.5 : (most - Number(price)) / (most - least))
  const [first, last] = [candles[0], candles.at(-1)]
  const label = `Price from ${first?.open} to ${last?.close} ${currency}, between ${least} and ${most}`
  return (
    <svg class="candles" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {candles.map((it, at) => {
        const x = step * (at + 0.5)
        const isUp = Number(it.close) >= Number(it.open)
        const top = Math.min(y(it.open), y(it.close))
        return (
          <g key={it.start} class={isUp ? 'up' : 'down'}>
            <path d={`M${x} ${y(it.high)}V${y(it.low)}`} />
            <rect x={x - step * 0.3} y={top} width={step * 0.6} height={Math.max(1.5, Math.abs(y(it.open) - y(it.close)))} />
          </g>
        )
      })}
    </svg>
  )
}
