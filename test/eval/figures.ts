/** The figures of one set; null where a figure does not apply. */
export type Figures = {
  n: number
  r1: number | null
  r5: number | null
  r10: number | null
  ndcg10: number | null
  all10: number | null
  none_auroc: number | null
  p50_ms: number | null
  p95_ms: number | null
}

/** One query: which places of the answer were right, the number of relevant offerings, and the score of the answer. */
export type Asked = { kind: 'single' | 'multi' | 'none'; hits: boolean[]; relevant: number; sureness: number; tookMs: number }

export const mean = (values: number[]): number | null =>
  values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length

export const percentile = (values: number[], share: number): number | null =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? null

/** Normalised discounted cumulative gain at ten (nDCG@10). */
const toNdcg = ({ hits, relevant, kind }: Asked): number => {
  const gain = (place: number) => 1 / Math.log2(place + 2)
  const needed = kind === 'multi' ? Math.min(10, relevant) : 1
  // For a query with interchangeable right offerings only the first hit counts.
  const counted = kind === 'multi' ? hits : hits.map((hit, at) => hit && hits.indexOf(true) === at)
  const sum = counted.reduce((total, hit, at) => total + (hit ? gain(at) : 0), 0)
  return sum / Array.from({ length: needed }, (_, at) => gain(at)).reduce((a, b) => a + b, 0)
}

/**
 * The area under the ROC curve: the probability that an answerable query scores higher than one without a match. Ties count
 * half (Mann–Whitney).
 */
export const toAuroc = (answerable: number[], none: number[]): number | null => {
  if (answerable.length === 0 || none.length === 0) return null
  const all = [...answerable.map(value => ({ value, fits: 1 })), ...none.map(value => ({ value, fits: 0 }))]
  all.sort((a, b) => a.value - b.value)
  let ranks = 0
  for (let from = 0; from < all.length; ) {
    let to = from
    while (to < all.length && all[to]?.value === all[from]?.value) to += 1
    const fitting = all.slice(from, to).filter(it => it.fits === 1).length
    ranks += (fitting * (from + to + 1)) / 2
    from = to
  }
  return (ranks - (answerable.length * (answerable.length + 1)) / 2) / (answerable.length * none.length)
}

export const toFigures = (asked: Asked[]): Figures => {
  const single = asked.filter(it => it.kind === 'single')
  const multi = asked.filter(it => it.kind === 'multi')
  const foundWithin = (places: number) => mean(single.map(it => (it.hits.slice(0, places).includes(true) ? 1 : 0)))
  const surenessOf = (some: Asked[]) => some.map(it => it.sureness)
  return {
    n: asked.length,
    r1: foundWithin(1),
    r5: foundWithin(5),
    r10: foundWithin(10),
    ndcg10: mean((multi.length > 0 ? multi : single).map(toNdcg)),
    all10: mean(multi.map(it => (it.hits.filter(hit => hit).length === it.relevant ? 1 : 0))),
    none_auroc: toAuroc(surenessOf([...single, ...multi]), surenessOf(asked.filter(it => it.kind === 'none'))),
    p50_ms: percentile(
      asked.map(it => it.tookMs),
      0.5,
    ),
    p95_ms: percentile(
      asked.map(it => it.tookMs),
      0.95,
    ),
  }
}
