/** Small preferences that decide between equal scores: values and fields keep their order, and the first ones are taken. */
const tie = { order: 1e-6, span: 1e-4, field: 1e-4 }

/** The most spans and fields that are compared: the time is cubic, and strangers write both. */
const most = 64

/**
 * Chooses pairs of spans and fields with the best total score, each span and each field once (Kuhn–Munkres).
 * @param scoreOf a positive score, or undefined where a field does not take a span
 */
export const assign = <S, F>(
  all: readonly S[],
  open: readonly F[],
  scoreOf: (span: S, field: F) => number | undefined,
): [S, F][] => {
  const fields = open.slice(0, most)
  const spans = all.filter(it => fields.some(field => scoreOf(it, field) !== undefined)).slice(0, most)
  const size = Math.max(spans.length, fields.length)
  const cost = Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (_, column) => {
      const [span, field] = [spans[row], fields[column]]
      const score = span === undefined || field === undefined ? undefined : scoreOf(span, field)
      return score === undefined ? 0 : -(score + tie.order * row * column - tie.span * row - tie.field * column)
    }),
  )
  return matchRows(cost).flatMap((row, column) => {
    const [span, field] = [spans[row], fields[column]]
    return span !== undefined && field !== undefined && at(cost, row, column) < 0 ? [[span, field] as [S, F]] : []
  })
}

const at = (cost: readonly number[][], row: number, column: number): number => cost[row]?.[column] ?? 0

/** The row of each column in the cheapest assignment of a square table, in cubic time. */
const matchRows = (cost: readonly number[][]): number[] => {
  const size = cost.length
  const [rows, columns] = [new Array<number>(size + 1).fill(0), new Array<number>(size + 1).fill(0)]
  const matched = new Array<number>(size + 1).fill(0)
  for (let row = 1; row <= size; row += 1) {
    matched[0] = row
    augment({ cost, rows, columns, matched })
  }
  return matched.slice(1).map(row => row - 1)
}

type Search = { cost: readonly number[][]; rows: number[]; columns: number[]; matched: number[] }
const get = (list: readonly number[], place: number) => list[place] ?? 0
const add = (list: number[], place: number, amount: number) => {
  list[place] = get(list, place) + amount
}

/** Matches one more row along the cheapest path. */
const augment = ({ cost, rows, columns, matched }: Search): void => {
  const size = cost.length
  const least = new Array<number>(size + 1).fill(Number.POSITIVE_INFINITY)
  const from = new Array<number>(size + 1).fill(0)
  const seen = new Set<number>()
  let column = 0
  while (get(matched, column) !== 0) {
    seen.add(column)
    const row = get(matched, column)
    let [step, next] = [Number.POSITIVE_INFINITY, 0]
    for (let other = 1; other <= size; other += 1) {
      if (seen.has(other)) continue
      const over = at(cost, row - 1, other - 1) - get(rows, row) - get(columns, other)
      if (over < get(least, other)) [least[other], from[other]] = [over, column]
      if (get(least, other) < step) [step, next] = [get(least, other), other]
    }
    for (let other = 0; other <= size; other += 1)
      if (seen.has(other)) {
        add(rows, get(matched, other), step)
        add(columns, other, -step)
      } else add(least, other, -step)
    column = next
  }
  while (column !== 0) {
    const before = get(from, column)
    matched[column] = get(matched, before)
    column = before
  }
}
