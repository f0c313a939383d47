/** Runs numbered work with limited concurrency. Rejects with the first failure. */
export const crowd = async ({ count, atOnce }: { count: number; atOnce: number }, work: (at: number) => Promise<void>) => {
  let next = 0
  const one = async () => {
    for (let at = next++; at < count; at = next++) await work(at)
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

export const percentile = (values: number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

export const round = (value: number): number => Math.round(value * 100) / 100
