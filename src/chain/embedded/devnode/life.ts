import { mkdir, rm } from 'node:fs/promises'
import { type Anvil, findAnvil, startAnvil } from './anvil.ts'
import type { Ask } from './ask.ts'
import { createBlockLog } from './blockLog.ts'
import { type Checkpointer, createCheckpointer } from './checkpointer.ts'
import { createCheckpoints } from './checkpoints.ts'
import { createMiner, type MinedBlock } from './mining.ts'
import { endOrphan } from './orphan.ts'
import { type Journal, replay } from './replay.ts'

export type LifeOptions = {
  /** Where checkpoints and block logs live; made when absent. One running node a directory. */
  dir: string
  chainId: number
  /** 0 takes a free one. */
  port: number
  /** Every signed transaction: what the newest checkpoint lacks is replayed from it. */
  journal: () => Promise<Journal>
  /** Sets up a new chain and mines it; run before the replay, and again when no checkpoint is left: it must be repeatable. */
  genesis?: (ask: Ask) => Promise<void>
  /** Adds what the chain lacks, after the replay of every start: it must be repeatable. */
  complete?: (ask: Ask) => Promise<void>
  /** Called after each mined block. */
  onMined?: (() => void) | undefined
  /** Path of anvil, when it is not the installed one. */
  binary?: string | undefined
}

/** One run of the node process, from a checkpoint to its end. */
export type Life = Pick<Anvil, 'pid' | 'port' | 'ended'> & {
  poke(): void
  checkpoint: Checkpointer['checkpoint']
  /** Ends miner, checkpoints and process. */
  end(): Promise<void>
}

/** A new chain begins this long before the first block that is replayed onto it, so that its genesis has room. */
const genesisSeconds = 60

/** Starts the node from the newest state that it takes, and brings it to where the journal says it was. */
export const beginLife = async (options: LifeOptions): Promise<Life> => {
  await mkdir(options.dir, { recursive: true })
  await endOrphan(options.dir)
  const checkpoints = createCheckpoints(options.dir)
  const log = createBlockLog(options.dir)
  const journal = merge(await options.journal(), await log.read())

  const numbers = await checkpoints.numbers()
  const anvil = await firstThatStarts([...numbers, undefined], async number =>
    startFrom(options, journal, number === undefined ? undefined : await checkpoints.unpack(number)),
  )
  await log.rotate(numbers[0] ?? 0, 0)

  const checkpointer = createCheckpointer({ ask: anvil.ask, checkpoints, log })
  const onBlock = async (block: MinedBlock) => {
    await checkpointer.note(block)
    options.onMined?.()
  }
  const miner = createMiner({ ask: anvil.ask, onBlock })
  return {
    pid: anvil.pid,
    port: anvil.port,
    ended: anvil.ended,
    poke: miner.poke,
    checkpoint: checkpointer.checkpoint,
    async end() {
      await Promise.all([miner.stop(), checkpointer.stop()])
      await anvil.end()
    },
  }
}

const startFrom = async (options: LifeOptions, journal: Journal, state: string | undefined): Promise<Anvil> => {
  const { dir, chainId, port, binary, genesis, complete } = options
  const timestamp = state === undefined ? beginningOf(journal) : undefined
  const anvil = await startAnvil({ binary: findAnvil(binary), port, chainId, dir, state, timestamp })
  try {
    if (state !== undefined) await rm(state)
    if (state === undefined) await genesis?.(anvil.ask)
    await replay(anvil.ask, journal)
    // Replayed blocks have their old times; new ones go by the clock.
    await anvil.ask('evm_setTime', Math.floor(Date.now() / 1_000))
    await complete?.(anvil.ask)
    return anvil
  } catch (error) {
    await anvil.end()
    throw error
  }
}

// A state that cannot be loaded or continued costs a longer replay, nothing else.
const firstThatStarts = async <T>(candidates: T[], start: (from: T) => Promise<Anvil>): Promise<Anvil> => {
  const failures: unknown[] = []
  for (const from of candidates) {
    try {
      return await start(from)
    } catch (error) {
      failures.push(error)
    }
  }
  throw failures.at(-1)
}

const merge = (journal: Journal, logged: ReadonlyMap<string, Journal[number]['mined']>): Journal =>
  journal.map(it => ({ ...it, mined: it.mined ?? logged.get(it.hash) }))

const beginningOf = (journal: Journal): number | undefined => {
  const first = journal.flatMap(it => it.mined?.blockTime ?? []).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  return Number.isFinite(first) ? Math.floor(first / 1_000) - genesisSeconds : undefined
}
