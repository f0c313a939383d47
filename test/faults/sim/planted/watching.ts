import type { Mutation } from '../mutation.ts'
import { withTables } from './withTables.ts'

/** Bugs in following the chain. */
export const watching: Mutation[] = [
  {
    name: 'what the chain takes back stays in the books',
    without: 'retraction',
    focus: [26],
    parts: ({ store, chain }) => ({
      chain,
      store: withTables(store, () => ({ chainEvents: async () => [] })),
    }),
  },
  {
    name: 'an event in another block is another event',
    without: 'events known by their transaction, and moves and postings that are taken once',
    focus: [26, 20],
    parts: ({ store, chain }, { random }) => ({
      chain,
      store: withTables(store, tables => ({
        async addChainEvent(chainId, event) {
          const added = await tables.addChainEvent(chainId, event)
          return added ?? tables.addChainEvent(chainId, { ...event, txHash: event.blockHash })
        },
        async moveJob(id, event, patch) {
          const moved = await tables.moveJob(id, event, patch)
          return moved ?? (event === 'fund' || event === 'confirm' || event === 'refund' ? tables.job(id) : undefined)
        },
        post: async posting =>
          (await tables.post(posting)) || tables.post({ ...posting, key: `${posting.key}:${random.hex(8)}` }),
      })),
    }),
  },
  {
    name: 'a block counts as read before its events are taken',
    without: 'cursor and events in one write, and the second look at blocks and jobs',
    focus: [12, 25],
    parts({ store, chain }) {
      let read = 0n
      const events: typeof chain.events = async (from, to) => {
        if (to <= read) return []
        const hash = await chain.blockHash(to)
        if (hash) await store.setCursor(chain.chainId, { number: to, hash })
        read = to
        return chain.events(from, to)
      }
      return { store: { ...store, openJobs: async () => [] }, chain: { ...chain, events } }
    },
  },
  {
    name: 'whoever names our job has funded it',
    without: 'the look at what the contract holds',
    focus: [34],
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
