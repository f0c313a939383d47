import { z } from 'zod'
import type { JsonObject } from '../json.ts'
import { toCounted } from '../text/counted.ts'

/** What can be measured of a file. Rows are those of a table in CSV, without its header. */
export const measure = z.enum(['bytes', 'width', 'height', 'pages', 'rows'])
export type Measure = z.infer<typeof measure>

/** The measures of a file that were read from its bytes. */
export const measures = z.partialRecord(measure, z.number().int())
export type Measures = z.infer<typeof measures>

/** The keywords of a schema that bound a file, beside its type. The checklist of a hire demands them of each delivered file. */
const rules = [
  { keyword: 'minBytes', measure: 'bytes', side: 'least' },
  { keyword: 'maxBytes', measure: 'bytes', side: 'most' },
  { keyword: 'minWidth', measure: 'width', side: 'least' },
  { keyword: 'maxWidth', measure: 'width', side: 'most' },
  { keyword: 'minHeight', measure: 'height', side: 'least' },
  { keyword: 'maxHeight', measure: 'height', side: 'most' },
  { keyword: 'minPages', measure: 'pages', side: 'least' },
  { keyword: 'maxPages', measure: 'pages', side: 'most' },
  { keyword: 'minRows', measure: 'rows', side: 'least' },
  { keyword: 'maxRows', measure: 'rows', side: 'most' },
] as const satisfies { keyword: string; measure: Measure; side: 'least' | 'most' }[]
export const fileKeywords = rules.map(it => it.keyword)

const units: Record<Measure, (amount: number) => string> = {
  bytes: it => toCounted(it, 'byte'),
  width: it => `${toCounted(it, 'pixel')} of width`,
  height: it => `${toCounted(it, 'pixel')} of height`,
  pages: it => toCounted(it, 'page'),
  rows: it => toCounted(it, 'row'),
}

export type Bound = { measure: Measure; side: 'least' | 'most'; value: number }

/** The limits that a schema sets for a file. A value that is no whole number limits nothing. */
export const boundsOf = (schema: JsonObject): Bound[] =>
  rules.flatMap(({ keyword, ...rule }) => {
    const value = schema[keyword]
    return typeof value === 'number' && Number.isInteger(value) ? [{ ...rule, value }] : []
  })

/** A limit in words: `at most 5000 bytes`. */
export const toBoundWords = ({ measure: of, side, value }: Bound): string => `at ${side} ${units[of](value)}`

/** Why a measured file is outside a limit; undefined when it is inside. A file that cannot be measured has no such measure. */
export const faultOfBound = (bound: Bound, found: Measures): string | undefined => {
  const is = found[bound.measure]
  if (is === undefined) return `should have ${toBoundWords(bound)}, which could not be read from it`
  const isInside = bound.side === 'least' ? is >= bound.value : is <= bound.value
  return isInside ? undefined : `has ${units[bound.measure](is)}, and should have ${toBoundWords(bound)}`
}
