import { hex } from '../../../domain/hex.ts'
import type { Ask } from './ask.ts'
import type { BlockLog } from './blockLog.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { MinedBlock } from './mining.ts'

/** Blocks and quiet time after which the state is written; both only bound how long the next start replays. */
const everyBlocks = 200
const idleMs = 5_000
/** A dump stops the node and grows with its history: it may take this share of the time. */
const shareOfTime = 1 / 20

export type Checkpointer = {
  /** Notes a mined block, and writes the state when it is time. */
  note(block: MinedBlock): Promise<void>
  /** Writes the state if anything was mined since the last time. */
  checkpoint(): Promise<void>
  /** Writes nothing more; resolves when a dump at work is done. */
  stop(): Promise<void>
}

export const createCheckpointer = (deps: { ask: Ask; checkpoints: Checkpoints; log: BlockLog }): Checkpointer => {
  const { ask, checkpoints, log } = deps
  // A start may have set up or replayed blocks before anybody counted.
  let unsaved = 1
  let notBefore = 0
  let isStopped = false
  let working: Promise<void> | undefined

  const save = async () => {
    const blocks = unsaved
    const state = Buffer.from(hex.parse(await ask('anvil_dumpState')).slice(2), 'hex')
    const number = await checkpoints.add(state)
    // What was mined during the dump is in both logs' reach: the one before stays until the next checkpoint.
    await log.rotate(number, number - 1)
    unsaved -= blocks
  }

  const checkpoint = async () => {
    // A dump at work may have begun before the newest block.
    while (working) await working.catch(() => undefined)
    if (unsaved === 0 || isStopped) return
    const started = performance.now()
    working = save().finally(() => {
      working = undefined
      // Also after one that failed: it held the node as long.
      notBefore = performance.now() + (performance.now() - started) / shareOfTime
    })
    await working
  }

  // A dump that fails leaves the log and the journal, which hold the same; the next one tries again.
  const idle = setTimeout(() => void checkpoint().catch(() => undefined), idleMs).unref()

  return {
    async note(block) {
      // A full disk costs the log, not the chain: the journal knows what its senders saw.
      await log.append(block).catch(() => undefined)
      unsaved++
      idle.refresh()
      const isTime = !working && unsaved >= everyBlocks && performance.now() >= notBefore
      if (isTime) void checkpoint().catch(() => undefined)
    },
    checkpoint,
    async stop() {
      isStopped = true
      clearTimeout(idle)
      await working?.catch(() => undefined)
    },
  }
}
