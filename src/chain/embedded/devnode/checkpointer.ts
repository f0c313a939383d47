import { hex } from '../../../domain/hex.ts'
import type { Ask } from './ask.ts'
import type { BlockLog } from './blockLog.ts'
import type { Checkpoints } from './checkpoints.ts'
import { type MinedBlock, readRaws } from './mining.ts'

/** A checkpoint is written after this many blocks, or after this idle time in ms. Both bound how much the next start replays. */
const everyBlocks = 200
const idleMs = 5_000
/** A dump blocks the node, and its duration grows with the history. It may take at most this share of the time. */
const shareOfTime = 1 / 20

export type Checkpointer = {
  /** Records a mined block and writes a checkpoint when one is due. */
  note(block: MinedBlock): Promise<void>
  /** Writes a checkpoint if a block was mined since the last one. */
  checkpoint(): Promise<void>
  /** Starts no further checkpoint; resolves when the running dump has finished. */
  stop(): Promise<void>
}

export const createCheckpointer = (deps: { ask: Ask; checkpoints: Checkpoints; log: BlockLog }): Checkpointer => {
  const { ask, checkpoints, log } = deps
  // The start may have mined or replayed blocks before this counter existed.
  let unsaved = 1
  let notBefore = 0
  let isStopped = false
  let working: Promise<void> | undefined

  const save = async () => {
    const blocks = unsaved
    const state = Buffer.from(hex.parse(await ask('anvil_dumpState')).slice(2), 'hex')
    const number = await checkpoints.add(state)
    // Blocks mined during the dump appear in both logs, because the previous log is kept until the next checkpoint.
    await log.rotate(number, number - 1)
    unsaved -= blocks
  }

  const checkpoint = async () => {
    // A running dump may have begun before the newest block was mined.
    while (working) await working.catch(() => undefined)
    if (unsaved === 0 || isStopped) return
    const started = performance.now()
    working = save().finally(() => {
      working = undefined
      // A failed dump counts as well, because it blocked the node for as long.
      notBefore = performance.now() + (performance.now() - started) / shareOfTime
    })
    await working
  }

  // A failed dump loses nothing: the block log and the journal contain the same blocks. The next dump tries again.
  const idle = setTimeout(() => void checkpoint().catch(() => undefined), idleMs).unref()

  return {
    async note(block) {
      // On a full disk the block log fails and the chain continues. The journal still contains what the senders saw.
      // A stranger's transaction is in no journal, so the log has the signed bytes.
      const append = async () => log.append({ ...block, raws: await readRaws(ask, block) })
      await append().catch(() => undefined)
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
