import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { type Hex, hex } from '../../../domain/hex.ts'
import type { Ask } from './ask.ts'

const quantity = z.string().transform(Number)
const pool = z.object({ pending: quantity })

/**
 * A mined block: its number, its time in seconds, its transaction hashes in order, and their signed bytes where they are known.
 */
export const minedBlock = z.object({
  number: z.number(),
  timestamp: z.number(),
  hashes: z.array(hex),
  raws: z.array(hex.nullable()).optional(),
})
export type MinedBlock = z.infer<typeof minedBlock>

const placed = { number: quantity, timestamp: quantity }
const block = z
  .object({ ...placed, transactions: z.array(hex) })
  .transform(({ transactions, ...rest }) => ({ ...rest, hashes: transactions }))
const detailed = z
  .tuple([z.object({ ...placed, transactions: z.array(z.object({ hash: hex })) })])
  .transform(([{ transactions, ...rest }]) => ({ ...rest, hashes: transactions.map(it => it.hash) }))

export const readHead = async (ask: Ask): Promise<MinedBlock> => block.parse(await ask('eth_getBlockByNumber', 'latest', false))

/** The signed bytes of the transactions of a block, in order. */
export const readRaws = (ask: Ask, { hashes }: MinedBlock): Promise<(Hex | null)[]> =>
  Promise.all(hashes.map(async hash => hex.nullable().parse(await ask('eth_getRawTransactionByHash', hash))))

/** Mines the pending transactions into one block. */
export const mineBlock = async (ask: Ask): Promise<MinedBlock> => detailed.parse(await ask('evm_mine_detailed'))

/** Pause in ms after a failure, such as a request that timed out during a dump. */
const retryMs = 250
/** Minimum time between blocks in ms. With shorter ones, blocks cost more time than their transactions. */
const blockMs = 25
/** The time of a block grows with the chain's state. The node needs the rest of the time to answer requests. */
const shareOfTime = 1 / 3

export type Miner = {
  /** A transaction was sent: mines it at once or with the next block. */
  poke(): void
  /** Mines no further block; resolves when the current one is done. Stop the miner of a node that ended. */
  stop(): Promise<void>
}

/** Mines while transactions are pending, at most one block every 25 ms and at most a third of the time. */
export const createMiner = ({ ask, onBlock }: { ask: Ask; onBlock: (mined: MinedBlock) => Promise<void> }): Miner => {
  let isWanted = false
  let isStopped = false
  let working: Promise<void> | undefined

  const work = async () => {
    while (isWanted && !isStopped) {
      isWanted = false
      const waiting = await countPending(ask)
      if (waiting === 0) continue
      const started = performance.now()
      const mined = await mineBlock(ask)
      await onBlock(mined)
      const took = performance.now() - started
      await delay(Math.max(blockMs, took / shareOfTime) - took)
      // A transaction that no block accepts, such as one with an unaffordable fee, must not keep the miner busy.
      isWanted ||= mined.hashes.length > 0 && mined.hashes.length < waiting
    }
  }

  const retry = async () => {
    isWanted = true
    if (!isStopped) await delay(retryMs)
  }
  const requestBlock = () => {
    isWanted = true
    working ??= work()
      .catch(retry)
      .finally(() => {
        working = undefined
        if (isWanted && !isStopped) requestBlock()
      })
  }

  return {
    poke: requestBlock,
    async stop() {
      isStopped = true
      await working
    },
  }
}

const countPending = async (ask: Ask): Promise<number> => pool.parse(await ask('txpool_status')).pending
