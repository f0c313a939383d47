import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Life } from './life.ts'

const sampleMs = 1_000
/** A process that works or waits for a CPU uses more than this per second in ms, even on a busy machine. */
const minBusyMs = 20
/** A start without CPU use for this long in ms is hanging. */
const maxIdleMs = 60_000
/** The longest start in ms under any load. */
const maxMs = 900_000

/**
 * Resolves when the service serves or has ended. Rejects when it hangs, with its output. A slow start uses CPU time or waits
 * for a CPU; a hanging one does neither.
 */
export const watchStart = async (life: Life): Promise<void> => {
  let isOver = false
  void life.url.then(() => {
    isOver = true
  })
  let idleMs = 0
  let busy = busyMs(life.pid)
  while (!isOver) {
    await Promise.race([life.url, pause(sampleMs, undefined, { ref: false })])
    const now = busyMs(life.pid)
    if (Math.abs(now - busy) < minBusyMs) idleMs += sampleMs
    busy = now
    const tookMs = performance.now() - life.begunAt
    if (!isOver && (idleMs >= maxIdleMs || tookMs >= maxMs))
      throw new Error(
        `the start hangs since ${Math.round(tookMs / 1_000)} s, idle for ${idleMs / 1_000} s of them; it said: ${life.said()}`,
      )
  }
}

/** Total time in ms that the threads of a process and its children have run or waited for a CPU. */
const busyMs = (pid: number): number => [pid, ...childrenOf(pid)].flatMap(threadsOf).reduce((sum, it) => sum + it, 0) / 1e6

const childrenOf = (pid: number): number[] =>
  namesIn(`/proc/${pid}/task`).flatMap(thread =>
    read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )

/** The first two values of each thread's schedstat, in ns: time on a CPU, and time waiting for one. */
const threadsOf = (pid: number): number[] =>
  namesIn(`/proc/${pid}/task`).map(thread => {
    const [ran = 0, waited = 0] = read(`/proc/${pid}/task/${thread}/schedstat`).split(' ').map(Number)
    return ran + waited
  })

/** Entries of a folder; empty when the process has ended meanwhile. */
const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
