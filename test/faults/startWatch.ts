import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Life } from './life.ts'

const sampleMs = 1_000
/** A process that works or waits for a processor shows more than this in each second, also on a busy machine. */
const leastBusyMs = 20
/** A start that does nothing for so long waits for something that does not come. */
const mostIdleMs = 60_000
/** No load is so heavy that a start takes longer. */
const mostMs = 900_000

/**
 * Resolves when the service serves or has ended. Rejects when it hangs, with what it said: a start that is only slow goes on
 * using processor time, or waits for a processor; one that hangs does neither.
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
    if (Math.abs(now - busy) < leastBusyMs) idleMs += sampleMs
    busy = now
    const tookMs = performance.now() - life.begunAt
    if (!isOver && (idleMs >= mostIdleMs || tookMs >= mostMs))
      throw new Error(
        `the start hangs since ${Math.round(tookMs / 1_000)} s, idle for ${idleMs / 1_000} s of them; it said: ${life.said()}`,
      )
  }
}

/** How long the threads of a process and of its children have run or waited for a processor, in ms. */
const busyMs = (pid: number): number => [pid, ...childrenOf(pid)].flatMap(threadsOf).reduce((sum, it) => sum + it, 0) / 1e6

const childrenOf = (pid: number): number[] =>
  namesIn(`/proc/${pid}/task`).flatMap(thread =>
    read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )

/** Of each thread, the first two figures of its schedstat: time on a processor and time in the queue for one, in ns. */
const threadsOf = (pid: number): number[] =>
  namesIn(`/proc/${pid}/task`).map(thread => {
    const [ran = 0, waited = 0] = read(`/proc/${pid}/task/${thread}/schedstat`).split(' ').map(Number)
    return ran + waited
  })

/** What has ended meanwhile holds nothing. */
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
