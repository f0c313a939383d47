import { type Jobs, openJobs } from './jobs.ts'
import { crowd, percentile, round } from './measures.ts'
import { benchNaive } from './naive.ts'

type Options = { count: number; few: number; naive: number; seconds: number; say(line: string): void }

/** hire, submit, complete */
const transactionsOfJob = 3
const few = 8
const many = 64

/**
 * Runs jobs on the embedded chain. Custodial wallets hire, submit and complete each one through intents, store, signer and
 * sender, as in the service. A few concurrent jobs measure the latency of a transaction, many measure the throughput. Then a
 * plain viem client makes the same three calls on a plain anvil with defaults, with the same concurrency.
 */
export const benchChain = async ({ count, few: fewCount, naive, seconds, say }: Options) => {
  const jobs = await openJobs()
  try {
    say(`${fewCount} transactions, ${few} jobs at once …`)
    const quiet = await sustain(jobs, { name: 'few', count: fewCount, atOnce: few, seconds })
    say(`  ${round(quiet.rate)} transactions/s, ${quiet.failures} jobs failed`)
    say(`${count} transactions, ${many} jobs at once …`)
    const ours = await sustain(jobs, { name: 'many', count, atOnce: many, seconds })
    for (const { rate, cpuMs } of ours.parts) say(`  ${round(rate)} transactions/s, ${round(cpuMs)} ms of this process each`)
    say(`A plain viem client: ${naive} transactions, or what it makes in ${seconds} s, ${many} jobs at once …`)
    const plain = await benchNaive({ jobs: Math.ceil(naive / transactionsOfJob), atOnce: many, seconds })
    say(`  ${plain.transactions} transactions, ${round(plain.rate)}/s, ${plain.failures} of ${plain.jobs} jobs failed`)
    return {
      transactions: ours.transactions,
      tx_per_s: round(ours.rate),
      decay: round(1 - (ours.parts.at(-1)?.rate ?? 0) / (ours.parts[0]?.rate ?? 1)),
      naive_tx_per_s: round(plain.rate),
      ratio: round(ours.rate / plain.rate),
      p50_ms: round(percentile(quiet.latencies, 0.5)),
      p99_ms: round(percentile(quiet.latencies, 0.99)),
      failures: ours.failures + quiet.failures,
      few_tx_per_s: round(quiet.rate),
      naive_failures: plain.failures,
      naive_jobs: plain.jobs,
      naive_transactions: plain.transactions,
    }
  } finally {
    await jobs.close()
  }
}

const fifths = 5

type Mark = { at: number; cpuMs: number }
const mark = (): Mark => {
  const { user, system } = process.cpuUsage()
  return { at: performance.now(), cpuMs: (user + system) / 1_000 }
}

type Load = { name: string; count: number; atOnce: number; seconds: number }

/** Runs jobs with fixed concurrency. The time of a transaction is from its decision to its receipt. */
const sustain = async (jobs: Jobs, { name, count, atOnce, seconds }: Load) => {
  const started = mark()
  const ends: Mark[] = []
  const latencies: number[] = []
  let failures = 0
  await crowd({ count: Math.ceil(count / transactionsOfJob), atOnce }, async at => {
    if (performance.now() - started.at > seconds * 1_000) return
    await jobs
      .run(`${name}_${at}`, ms => {
        latencies.push(ms)
        ends.push(mark())
      })
      .catch((error: unknown) => {
        failures += 1
        if (failures === 1) process.stderr.write(`${String(error)}\n`)
      })
  })
  const size = Math.floor(ends.length / fifths)
  const parts = Array.from({ length: fifths }, (_, part) => {
    const from = ends[part * size - 1] ?? started
    const to = ends[(part + 1) * size - 1] ?? from
    return { rate: (1_000 * size) / (to.at - from.at), cpuMs: (to.cpuMs - from.cpuMs) / size }
  })
  const last = ends.at(-1) ?? started
  return { transactions: ends.length, latencies, rate: (1_000 * ends.length) / (last.at - started.at), parts, failures }
}
