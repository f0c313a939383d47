import type { Mutation } from '../mutation.ts'
import { withTables } from './withTables.ts'

/** Wrong ways to follow the chain. */
export const watching: Mutation[] = [
  {
    name: 'an event counts each time it comes',
    without: 'moves and postings that are taken once',
    parts: ({ store, chain }, { random }) => ({
      chain,
      store: withTables(store, tables => ({
        async moveJob(id, event, patch) {
          const moved = await tables.moveJob(id, event, patch)
          return moved ?? (event === 'fund' || event === 'confirm' || event === 'refund' ? tables.job(id) : undefined)
        },
        post: posting => tables.post({ ...posting, key: `${posting.key}:${random.hex(8)}` }),
      })),
    }),
  },
  {
    name: 'the cursor moves before the events are taken',
    without: 'cursor and events in one write',
    parts: ({ store, chain }) => ({
      store,
      chain: {
        ...chain,
        async events(from, to) {
          const hash = await chain.blockHash(to)
          if (hash) await store.setCursor(chain.chainId, { number: to, hash })
          return chain.events(from, to)
        },
      },
    }),
  },
  {
    name: 'whoever names our job has funded it',
    without: 'the look at what the contract holds',
    parts: ({ store, chain }, { keyOf }) => ({
      store,
      chain: {
        ...chain,
        async job(id) {
          const onChain = await chain.job(id)
          const ours = await store.job(keyOf(id) ?? '')
          return ours ? { ...onChain, client: ours.userWallet, provider: ours.agentWallet, budget: ours.budget } : onChain
        },
      },
    }),
  },
]
