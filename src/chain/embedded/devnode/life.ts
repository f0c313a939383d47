import { mkdir, rm } from 'node:fs/promises'
import { parseTransaction, recoverTransactionAddress, type TransactionSerialized } from 'viem'
import { address, type Hex } from '../../../domain/hex.ts'
import type { Mined } from '../../../ports.ts'
import { type Anvil, findAnvil, startAnvil } from './anvil.ts'
import type { Ask } from './ask.ts'
import { createBlockLog, type Logged } from './blockLog.ts'
import { type Checkpointer, createCheckpointer } from './checkpointer.ts'
import { createCheckpoints } from './checkpoints.ts'
import { createMiner, type MinedBlock } from './mining.ts'
import { endOrphan } from './orphan.ts'
import { type Journal, replay } from './replay.ts'

export type LifeOptions = {
  /** Folder of checkpoints and block logs, created when absent. Only one node may use it at a time. */
  dir: string
  chainId: number
  /** The port to listen on; 0 for any free one. */
  port: number
  /** Every signed transaction. Those missing in the newest checkpoint are replayed from it. */
  journal: () => Promise<Journal>
  /** Sets up a new chain and mines it, before the replay. It runs again when no checkpoint is left, so it must be repeatable. */
  genesis?: (ask: Ask) => Promise<void>
  /** Places contracts that the chain lacks without a transaction, before the replay of every start. It must be repeatable. */
  place?: (ask: Ask) => Promise<void>
  /** Adds contracts that the chain lacks, after the replay of every start. It must be repeatable. */
  complete?: (ask: Ask) => Promise<void>
  onMined?: (() => void) | undefined
  /** Path of anvil; default: the installed one. */
  binary?: string | undefined
}

/** One run of the node process, from a checkpoint until the process ends. */
export type Life = Pick<Anvil, 'pid' | 'port' | 'ended'> & {
  poke(): void
  checkpoint: Checkpointer['checkpoint']
  end(): Promise<void>
}

/** A new chain starts this many seconds before the first replayed block, which leaves room for the genesis blocks. */
const genesisSeconds = 60

/** Starts the node from the newest state that it accepts, then replays the journal. */
export const beginLife = async (options: LifeOptions): Promise<Life> => {
  await mkdir(options.dir, { recursive: true })
  await endOrphan(options.dir)
  const checkpoints = createCheckpoints(options.dir)
  const log = createBlockLog(options.dir)
  const journal = await merge(await options.journal(), await log.read())

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
  const { dir, chainId, port, binary, genesis, place, complete } = options
  const timestamp = state === undefined ? beginningOf(journal) : undefined
  const anvil = await startAnvil({ binary: findAnvil(binary), port, chainId, dir, state, timestamp })
  try {
    if (state !== undefined) await rm(state)
    if (state === undefined) await genesis?.(anvil.ask)
    await place?.(anvil.ask)
    await replay(anvil.ask, journal)
    // Replayed blocks have their original times; new blocks use the current time.
    await anvil.ask('evm_setTime', Math.floor(Date.now() / 1_000))
    await complete?.(anvil.ask)
    return anvil
  } catch (error) {
    await anvil.end()
    throw error
  }
}

// A state that cannot be loaded or continued only makes the replay longer.
const firstThatStarts = async <T>(candidates: T[], start: (from: T) => Promise<Anvil>): Promise<Anvil> => {
  const failures: unknown[] = []
  for (const from of candidates) {
    try {
      return await start(from)
    } catch (error) {
      failures.push(error)
    }
  }
  // The last attempt, from the first block, often fails for another reason than the others did.
  const reasons = failures.map(it => (it instanceof Error ? it.message : String(it)))
  // One reason for all of them is no fault of a state: a wrong master key, for instance.
  if (new Set(reasons).size === 1) throw failures[0]
  throw new AggregateError(failures, `The chain starts from none of its states: ${reasons.join('; ')}`)
}

/** The journal with the places that only the block log has, and with the transactions of strangers, which only the log has. */
const merge = async (journal: Journal, logged: ReadonlyMap<Hex, Logged>): Promise<Journal> => {
  const own = new Set(journal.map(it => it.hash))
  const others = [...logged].filter(([hash]) => !own.has(hash))
  return [
    ...journal.map(it => ({ ...it, mined: it.mined ?? logged.get(it.hash)?.mined })),
    ...(await Promise.all(others.flatMap(([hash, { mined, raw }]) => (raw ? [ofStranger({ hash, mined, raw })] : [])))),
  ]
}

const ofStranger = async ({ hash, mined, raw }: { hash: Hex; mined: Mined; raw: Hex }): Promise<Journal[number]> => {
  const sender = await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized })
  const { nonce = 0 } = parseTransaction(raw)
  return { hash, raw, nonce, sender: address.parse(sender.toLowerCase()), mined, isForeign: true }
}

const beginningOf = (journal: Journal): number | undefined => {
  const first = journal.flatMap(it => it.mined?.blockTime ?? []).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  return Number.isFinite(first) ? Math.floor(first / 1_000) - genesisSeconds : undefined
}
