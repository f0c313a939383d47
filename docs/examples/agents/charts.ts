import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import type { Json } from '../../../src/domain/json.ts'
import { type Agent, type AgentInput, type AgentOffering, createAgent, readField } from '../../../src/kit/kit.ts'
import type { DemoOptions } from './options.ts'

/** Maximum rows of a readable chart. */
export const maxRows = 200

const chart: AgentOffering = {
  id: 'chart-from-csv',
  name: 'Chart from a CSV',
  description:
    'Draws a bar chart or a line chart from a table (CSV) or a list: names with their numbers. ' +
    'You get a picture (SVG) that prints at any size, with the highest value marked.',
  price: '0.12',
  jobInput: 'A table with a header line; for example {"csv": "week,orders\\n1,28\\n2,34", "title": "Orders by week"}',
  jobOutput: 'The chart as SVG, and its highest value',
  requirement: {
    type: 'object',
    required: ['csv'],
    properties: {
      csv: {
        type: 'string',
        description: `The table as CSV with a header line, or a list such as Jan 10, Feb 20; at most ${maxRows} rows`,
      },
      kind: { type: 'string', enum: ['bars', 'line'], description: 'Bars or a line; bars when left out' },
      title: { type: 'string', description: 'What stands above it' },
    },
  },
  deliverable: {
    type: 'object',
    required: ['chart', 'highest'],
    properties: {
      chart: { type: 'string', description: 'The chart as SVG' },
      highest: { type: 'string', description: 'The highest value and where it is' },
    },
  },
  tags: ['charts', 'tables', 'pictures'],
  examples: [
    'Draw a chart from this CSV: month,sales\nJan,12\nFeb,19\nMar,15',
    'Show our sales as bars: Mon 4, Tue 9, Wed 7, Thu 12, Fri 10',
  ],
}

type Point = { name: string; value: number }

const table = z.array(z.array(z.string())).min(2)

/** Splits a table that was written on one line: each name followed by a comma starts a new row. */
const toLines = (csv: string): string => (csv.includes('\n') ? csv : csv.replace(/ +(?=[^\s,;]+[,;])/g, '\n'))

const amount = String.raw`-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?`
const listed = new RegExp(String.raw`^(.*[^\s:=])[\s:=]+[$€£]?(${amount}) ?%?$`)
const single = new RegExp(`^[$€£]?${amount} ?%?$`)
/** A number as people write it: with commas between thousands, a sign of a currency, or a percent sign. */
const toNumber = (text: string): number => (single.test(text) ? Number(text.replace(/[,$€£ %]/g, '')) : Number.NaN)

/** Reads a list such as "Jan 10, Feb: 20" or "apples 1,200; pears 1,350"; undefined unless each part is a name and a number. */
const readList = (text: string): Point[] | undefined => {
  const parts = text
    .split(/[;\n]|,(?!\d{3}(?!\d))/)
    .map(it => it.trim())
    .filter(Boolean)
  const points = parts.flatMap(it => {
    const [, name, value] = listed.exec(it) ?? []
    return name !== undefined && value !== undefined ? [{ name, value: toNumber(value) }] : []
  })
  return points.length > 1 && points.length === parts.length ? points.slice(0, maxRows) : undefined
}

const readTable = (csv: string): Point[] | undefined => {
  try {
    // The mark between the columns is that of the header, so that "1,200" stays one number in a table with tabs.
    const header = csv.trim().split('\n', 1)[0] ?? ''
    const delimiter = ['\t', ';', ','].find(it => header.includes(it)) ?? ','
    const rows = table.parse(
      parse(toLines(csv.trim()), { delimiter, relax_column_count: true, skip_empty_lines: true, trim: true }),
    )
    const points = rows.slice(1, maxRows + 1).map(([name = '', value = '']) => ({ name, value: toNumber(value) }))
    return points.every(it => Number.isFinite(it.value)) ? points : undefined
  } catch {
    return undefined
  }
}

/** The points, and the title that the table or list has by itself. */
const readPoints = (csv: string): { points: Point[]; title: string } | undefined => {
  const listed = readList(csv)
  if (listed) return { points: listed, title: 'Chart' }
  const points = readTable(csv)
  return points && points.length > 0 ? { points, title: csv.trim().split(/[,;\t\n]/)[1] ?? 'Chart' } : undefined
}

const escaped = (text: string) => text.slice(0, 60).replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)
const [width, height] = [640, 360]
const [left, right, top, bottom] = [48, 16, 56, 40]
const rounded = (n: number) => Math.round(n * 10) / 10

export const toSvg = (points: Point[], { title, isLine }: { title: string; isLine: boolean }): string => {
  const most = Math.max(...points.map(it => it.value), 0)
  const least = Math.min(...points.map(it => it.value), 0)
  const span = most - least || 1
  const y = (value: number) => rounded(top + ((most - value) / span) * (height - top - bottom))
  const step = (width - left - right) / points.length
  const x = (at: number) => rounded(left + step * (at + 0.5))
  const best = points.findIndex(it => it.value === most)
  const names = points.map(it => it.name.slice(0, 12))
  // Names that would lie over each other are left out. A letter is about 7 wide.
  const every = Math.ceil((Math.max(...names.map(it => it.length + 2)) * 7) / step)
  const lines = [0, 0.5, 1].map(share => least + span * share)
  const marks = isLine
    ? `<path d="${points.map((it, at) => `${at === 0 ? 'M' : 'L'}${x(at)} ${y(it.value)}`).join('')}" fill="none" stroke="#0b665b" stroke-width="3" stroke-linejoin="round"/><circle cx="${x(best)}" cy="${y(most)}" r="5" fill="#0b665b"/>`
    : points
        .map((it, at) => {
          const [from, to] = [Math.min(y(0), y(it.value)), Math.max(y(0), y(it.value))]
          const bar = `x="${rounded(x(at) - step * 0.35)}" y="${from}" width="${rounded(step * 0.7)}" height="${rounded(to - from)}"`
          return `<rect ${bar} rx="3" fill="${at === best ? '#0b665b' : '#a9d3ca'}"/>`
        })
        .join('')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#fff"/><text x="16" y="28" font-size="17" font-weight="700" fill="#1f1c17">${escaped(title)}</text>`,
    ...lines.map(
      it =>
        `<path d="M${left} ${y(it)}H${width - right}" stroke="#e4dfd4"/><text x="${left - 8}" y="${y(it) + 4}" text-anchor="end" fill="#5e574c">${rounded(it)}</text>`,
    ),
    marks,
    ...names.map((it, at) =>
      at % every === 0 ? `<text x="${x(at)}" y="${height - 14}" text-anchor="middle" fill="#5e574c">${escaped(it)}</text>` : '',
    ),
    `<text x="${x(best)}" y="${y(most) - 8}" text-anchor="middle" font-weight="700" fill="#1f1c17">${rounded(most)}</text></svg>`,
  ].join('')
}

const draw = (input: AgentInput): Json => {
  const csv = readField(input, 'csv')
  const read = csv === undefined ? undefined : readPoints(csv)
  if (!read) return { error: 'csv is required: a header line, then a name and a number on each line' }
  const { points } = read
  const title = typeof input.fields.title === 'string' ? input.fields.title : read.title
  const best = points.reduce((a, b) => (b.value > a.value ? b : a))
  return { chart: toSvg(points, { title, isLine: input.fields.kind === 'line' }), highest: `${best.name}: ${best.value}` }
}

const sampleCsv =
  'week,orders\n14 Sep,28\n21 Sep,34\n28 Sep,31\n5 Oct,39\n12 Oct,42\n19 Oct,38\n26 Oct,47\n2 Nov,51\n9 Nov,64\n16 Nov,38'

/** Creates Chart Room, which draws tables as charts. */
export const chartRoom = (options: DemoOptions): Agent =>
  createAgent({
    handle: 'demo-charts',
    name: 'Chart Room',
    description: 'Turns tables into charts that are easy to read and fit to print.',
    skills: [{ id: 'chart-from-csv', name: 'Chart from a CSV', description: 'Draws bars or lines', tags: ['charts', 'tables'] }],
    offerings: [{ ...chart, sample: JSON.stringify(draw({ text: '', fields: { csv: sampleCsv, title: 'Orders by week' } })) }],
    ...options,
    handler: draw,
  })
