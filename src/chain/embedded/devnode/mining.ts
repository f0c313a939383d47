import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { hex } from '../../../domain/hex.ts'
import type { Ask } from './ask.ts'

const quantity = z.string().transform(Number)
const pool = z.object({ pending: quantity })

/** A mined block: its number, its time in seconds, its transaction hashes in order. */
export const minedBlock = z.object({ number: z.number(), timestamp: z.number(), hashes: z.array(hex) })
export type MinedBlock = z.infer<typeof minedBlock>

const block = z
  .object({ number: quantity, timestamp: quantity, transactions: z.array(hex) })
  .transform(({ transactions, ...rest }) => ({ ...rest, hashes: transactions }))

export const readHead = async (ask: Ask): Promise<MinedBlock> => block.parse(await ask('eth_getBlockByNumber', 'latest', false))

/** Mines what is pending into one block. */
export const mineBlock = async (ask: Ask): Promise<MinedBlock> => {
  await ask('evm_mine')
  return readHead(ask)
}

/** After a failure, such as a dump that held the node longer than a question may wait. */
const retryMs = 250
/** The time between blocks: below it a block costs more than the transactions in it. */
const blockMs = 25
/** A block costs time that grows with the chain's state; the node needs the rest to answer questions. */
const shareOfTime = 1 / 3

export type Miner = {
  /** Something was sent: mine it, at once or with the next block. */
  poke(): void
  /** Mines no further block; resolves when the one at work is done. A miner of a node that ended must be stopped. */
  stop(): Promise<void>
}

/** Mines while something is pending, at most every 25 ms and a third of the time. */
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
      await onBlock(await mineBlock(ask))
      const took = performance.now() - started
      await delay(Math.max(blockMs, took / shareOfTime) - took)
      // What no block takes (an unaffordable fee) must not keep the miner turning.
      const left = await countPending(ask)
      isWanted ||= left > 0 && left < waiting
    }
  }

  const retry = async () => {
    isWanted = true
    if (!isStopped) await delay(retryMs)
  }
  const poke = () => {
    isWanted = true
    working ??= work()
      .catch(retry)
      .finally(() => {
        working = undefined
        if (isWanted && !isStopped) poke()
      })
  }

  return {
    poke,
    async stop() {
      isStopped = true
      await working
    },
  }
}

const countPending = async (ask: Ask): Promise<number> => pool.parse(await ask('txpool_status')).pending
