import { setTimeout as pause } from 'node:timers/promises'
import type { External } from '../../chain/external.ts'

const blockMs = 150

/** Mines blocks continuously, except while an action on the chain runs. */
export const startMiner = async (client: External['client']) => {
  await client.setAutomine(false)
  const ending = new AbortController()
  let turn: Promise<unknown> = Promise.resolve()
  /** Runs actions one after the other. A failure is reported to the caller only. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work)
    turn = done.catch(() => undefined)
    return done
  }
  const mining = (async () => {
    while (!ending.signal.aborted) {
      await inTurn(() => client.mine({ blocks: 1 })).catch(() => undefined)
      await pause(blockMs)
    }
  })()
  return {
    meanwhile: async (work: () => Promise<unknown>): Promise<void> => void (await inTurn(work)),
    /** Resolves when this many more blocks were mined. */
    async blocks(count: number) {
      const goal = (await client.getBlockNumber({ cacheTime: 0 })) + BigInt(count)
      while ((await client.getBlockNumber({ cacheTime: 0 })) < goal) await pause(blockMs)
    },
    async stop() {
      ending.abort()
      await mining
    },
  }
}

export type Miner = Awaited<ReturnType<typeof startMiner>>
