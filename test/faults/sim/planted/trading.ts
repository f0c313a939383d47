import { tokenTables } from '../../../../src/features/tokens/ports.ts'
import { quoteTrade } from '../../../../src/features/tokens/quoteTrade.ts'
import { tradeToken } from '../../../../src/features/tokens/tradeToken.ts'
import type { Mutation } from '../mutation.ts'
import { withTables } from './withTables.ts'

/** Bugs in trades of agent tokens. */
export const trading: readonly Mutation[] = [
  {
    name: 'each request of a trade makes it',
    without: 'the one intent of a trade',
    focus: [89],
    parts: ({ store, chain }, { random }) => ({
      chain,
      store: withTables(store, tables => ({
        addIntents: intents =>
          tables.addIntents(intents.map(it => (it.key.startsWith('trade:') ? { ...it, key: `${it.key}:${random.hex(8)}` } : it))),
      })),
    }),
  },
  {
    name: 'coin that was paid for tokens is booked as wrapped coin',
    without: 'the order behind a mined trade',
    focus: [87, 89],
    parts: ({ store, chain }) => ({
      chain,
      store: withTables(store, () => ({ intentByHash: async () => undefined })),
    }),
  },
  {
    name: 'a removed trade stays in the books',
    without: 'the deletion of what a reorganisation removed',
    focus: [88],
    parts: ({ store, chain }) => ({
      chain,
      store: withTables(store, () => ({ dropTokenEvents: async () => ({ trades: [], fees: [] }) })),
    }),
  },
  {
    name: 'a trade that was sent counts as made',
    without: 'the look at its receipt',
    focus: [87, 29],
    deps: deps => ({
      ...deps,
      store: withTables(deps.store, tables => ({
        tradeOrders: async of =>
          (await tokenTables(tables).tradeOrders(of)).map(it =>
            it.sending === 'reverted' ? { ...it, sending: 'confirmed' } : it,
          ),
        tradeOrder: async id => {
          const found = await tokenTables(tables).tradeOrder(id)
          return found?.sending === 'reverted' ? { ...found, sending: 'confirmed' } : found
        },
      })),
    }),
  },
  {
    name: 'a quote is traded at once',
    without: "the wait for the user's yes",
    focus: [],
    async request(sent, deps) {
      if (sent.name !== 'quoteTrade') return sent
      const { digest, token } = quoteTrade.output.parse(await quoteTrade.call(sent.input, deps, sent.caller))
      await tradeToken.call({ token, chain_id: 97, digest }, deps, sent.caller)
      return sent
    },
  },
]
