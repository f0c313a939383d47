import { fromRaw, toSigned } from '../chain/transactions.ts'
import type { Mutation } from '../mutation.ts'

/** Wrong ways to send a transaction. */
export const sending: Mutation[] = [
  {
    name: 'sent before it is written down',
    without: 'write-ahead',
    parts: ({ store, chain }) => ({
      store,
      chain: {
        ...chain,
        async sign(...of) {
          const signed = await chain.sign(...of)
          await chain.broadcast(signed.raw)
          return signed
        },
      },
    }),
  },
  {
    name: 'a new nonce for every retry',
    without: 'the same bytes again',
    parts({ store, chain }) {
      const sent = new Set<string>()
      const broadcast: typeof chain.broadcast = async raw => {
        if (!sent.has(raw)) return void (await chain.broadcast(raw).finally(() => sent.add(raw)))
        const { sender, call, nonce } = fromRaw(raw)
        await chain.broadcast(toSigned({ sender, call, nonce: nonce + 1 }).raw)
      }
      return { store, chain: { ...chain, broadcast } }
    },
  },
  {
    name: 'no answer is a failure',
    without: 'unknown as a state',
    parts: ({ store, chain }) => ({
      store,
      chain: {
        ...chain,
        async broadcast(raw) {
          const intent = await store.intentByHash(chain.chainId, fromRaw(raw).hash)
          await chain.broadcast(raw).catch(async () => {
            const [, id = '', step] = intent?.key.split(':') ?? []
            if (step === 'hire') await store.moveJob(id, 'cancel', { reason: 'no answer' })
          })
        },
      },
    }),
  },
  {
    name: 'gas money whenever it is asked for',
    without: 'one filling a transaction count',
    parts: ({ store, chain }, { random }) => ({
      chain,
      store: {
        ...store,
        addIntents: intents =>
          store.addIntents(intents.map(it => (it.key.startsWith('gas:') ? { ...it, key: `${it.key}:${random.hex(8)}` } : it))),
      },
    }),
  },
]
