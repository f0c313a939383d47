import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { isOver, type LaneReport, type LaneWork } from './laneWork.ts'
import { sumTallies } from './tally.ts'

const progressMs = 10_000

type Running = {
  /** Called every ten seconds with the results so far, and at once for each planted bug. */
  progress(sum: Pick<LaneReport, 'tally' | 'hunted'>): void
  /** Ends the lanes. */
  signal: AbortSignal
}

/**
 * Runs lanes in parallel threads, each on every n-th scenario. The first finding ends them all. A lane ends after its scenario,
 * because a thread that is stopped from outside while it compresses brings down the process.
 */
export const runLanes = async (work: Omit<LaneWork, 'lane' | 'shared'>, { progress, signal }: Running): Promise<LaneReport[]> => {
  const latest = new Map<number, LaneReport>()
  const shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)
  const workers = Array.from({ length: work.lanes }, (_, lane) => {
    const dir = mkdtempSync(join(work.dir, 'lane-'))
    const workerData: LaneWork = { ...work, dir, lane, shared }
    return new Worker(new URL('./lane.ts', import.meta.url), { workerData })
  })
  const stopAll = () => void Atomics.store(new Int32Array(shared), isOver, 1)
  signal.addEventListener('abort', stopAll)
  const follow = (worker: Worker, lane: number) =>
    new Promise<void>((resolve, reject) => {
      worker.on('message', (report: LaneReport) => {
        latest.set(lane, report)
        if (report.finding) stopAll()
        if (work.hunts !== undefined) sum()
      })
      worker.on('error', reject)
      worker.on('exit', () => resolve())
    })
  const sum = () => {
    const reports = [...latest.values()]
    progress({ tally: sumTallies(reports.map(it => it.tally)), hunted: reports.flatMap(it => it.hunted) })
  }
  const showing = setInterval(sum, progressMs)
  await Promise.all(workers.map(follow)).finally(() => {
    clearInterval(showing)
    signal.removeEventListener('abort', stopAll)
  })
  return [...latest.values()]
}
