import { readFile } from 'node:fs/promises'

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

const ticksPerSecond = 100

/** The user and system time of processes during some work, without their children, and the duration of the work, both in ms. */
export const costOf = async (pids: number[], work: () => Promise<unknown>): Promise<{ cpuMs: number; ms: number }> => {
  const [before, begun] = [await spentOf(pids), performance.now()]
  await work()
  return { cpuMs: (await spentOf(pids)) - before, ms: performance.now() - begun }
}

const spentOf = async (pids: number[]): Promise<number> => {
  const spent = pids.map(async pid => {
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ')
    return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond
  })
  return (await Promise.all(spent)).reduce((sum, it) => sum + it, 0)
}
