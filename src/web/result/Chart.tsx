import { useState } from 'hono/jsx/dom'
import { toQuotable } from '../../domain/text/quotableText.ts'
import { t } from '../client/words.ts'
import { Button } from '../parts/basics.tsx'
import type { Drawn, Point } from './kinds.ts'
import { Table } from './Table.tsx'
import { toValue } from './values.ts'

/** Above this number of points, the chart is a line instead of bars. */
const maxBars = 24
const [width, height, foot] = [640, 200, 22]
const short = (text: string) => toQuotable(text, 14)

const bestOf = (points: Point[]): number =>
  points.reduce((best, it, at) => (it.value > (points[best]?.value ?? 0) ? at : best), 0)

/** A chart of a series with its largest value marked. The numbers are available as a table, which screen readers read instead. */
export const Chart = ({ points, unit, table }: Extract<Drawn, { kind: 'chart' }>) => {
  const [isTable, setTable] = useState(false)
  const best = points[bestOf(points)]
  return (
    <figure class="series">
      <figcaption class="row">
        <span class="q s grow">
          {t('Highest')}
          {unit && ` ${unit}`}: <b>{toValue(best?.value ?? 0)}</b> ({short(best?.at ?? '')})
        </span>
        <Button
          class="btn small"
          aria-pressed={isTable ? 'true' : 'false'}
          onClick={() => setTable(!isTable)}
          words={isTable ? t('Chart') : t('Table')}
        />
      </figcaption>
      {isTable ? <Table {...table} /> : <Bars points={points} />}
    </figure>
  )
}

const Bars = ({ points }: { points: Point[] }) => {
  const best = bestOf(points)
  const most = points[best]?.value ?? 1
  const step = width / points.length
  const room = height - foot - 18
  const top = ({ value }: Point) => height - foot - (room * value) / most
  const every = Math.ceil(points.length / 7)
  const words = points.map(it => `${toQuotable(it.at, 40)} ${toValue(it.value)}`).join(', ')
  return (
    <svg class="bars" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words.slice(0, 2_000)}>
      {[0, 0.5, 1].map(share => (
        <path key={share} class="grid-line" d={`M0 ${height - foot - room * share}H${width}`} />
      ))}
      {points.length > maxBars ? (
        <path class="curve" d={points.map((it, at) => `${at === 0 ? 'M' : 'L'}${step * (at + 0.5)} ${top(it)}`).join('')} />
      ) : (
        points.map((it, at) => (
          <rect
            key={at}
            class={at === best ? 'best' : undefined}
            x={step * at + step * 0.16}
            y={top(it)}
            width={step * 0.68}
            height={height - foot - top(it)}
            rx={Math.min(4, step * 0.1)}
          />
        ))
      )}
      {points.map((it, at) =>
        at % every === 0 ? (
          <text key={at} x={step * (at + 0.5)} y={height - 5} text-anchor="middle">
            {short(it.at)}
          </text>
        ) : null,
      )}
      {points[best] && (
        <text class="best" x={step * (best + 0.5)} y={top(points[best]) - 6} text-anchor="middle">
          {toValue(points[best].value)}
        </text>
      )}
    </svg>
  )
}
