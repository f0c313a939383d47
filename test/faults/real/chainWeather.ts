import { setTimeout as pause } from 'node:timers/promises'
import { type Address, parseGwei } from 'viem'
import type { Ask } from '../../../src/chain/embedded/devnode/ask.ts'
import type { External } from '../../chain/external.ts'
import type { Miner } from './miner.ts'

export type Sky = {
  client: External['client']
  /** RPC calls to the node itself. */
  ask: Ask
  miner: Miner
  /** Wallets that pay for their own transactions. */
  payers(): Address[]
}

type Storm = { kind: number; name: string; break(sky: Sky): Promise<void> }

const reorg = (depth: number): Storm => ({
  kind: 26,
  name: `reorg of ${depth}`,
  break: ({ ask, miner }) => miner.meanwhile(() => ask('anvil_reorg', depth, [])),
})

/** Long enough for a replacement transaction to be signed. */
const standstillMs = 4_000
const poolMs = 1_500

/** Faults of the chain itself, by their numbers in the fault matrix. */
export const storms: readonly Storm[] = [
  reorg(1),
  reorg(3),
  reorg(12),
  {
    kind: 26,
    name: 'two blocks rolled back',
    break: ({ ask, miner }) => miner.meanwhile(() => ask('anvil_rollback', 2)),
  },
  {
    kind: 28,
    name: 'waiting transactions dropped',
    break: ({ client, miner }) =>
      miner.meanwhile(async () => {
        await pause(poolMs)
        for (const hash of await pooled(client)) await client.dropTransaction({ hash })
      }),
  },
  { kind: 28, name: 'no block for 4 s', break: ({ miner }) => miner.meanwhile(() => pause(standstillMs)) },
  {
    kind: 28,
    name: 'base fee up to four times what was offered',
    break: ({ client }) => client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('4') }),
  },
  {
    kind: 31,
    name: 'gas money gone',
    break: async ({ client, payers }) => {
      for (const address of payers()) await client.setBalance({ address, value: 0n })
    },
  },
  {
    kind: 70,
    name: 'the chain a minute ahead',
    break: ({ client }) => client.increaseTime({ seconds: 60 }).then(() => undefined),
  },
]

const pooled = async (client: External['client']) => {
  const { pending, queued } = await client.getTxpoolContent()
  return [pending, queued].flatMap(senders => Object.values(senders).flatMap(sent => Object.values(sent).map(it => it.hash)))
}
