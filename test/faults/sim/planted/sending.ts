import { BroadcastRefused } from '../../../../src/domain/chains/broadcast.ts'
import { Problem } from '../../../../src/domain/problem.ts'
import { usualGasPrice } from '../chain/places.ts'
import { fromRaw, toSigned } from '../chain/transactions.ts'
import type { Mutation } from '../mutation.ts'
import { withTables } from './withTables.ts'

/** Bugs in sending transactions. */
export const sending: Mutation[] = [
  {
    name: 'a block that was recorded stays',
    without: 'the look after the record',
    focus: [7, 16, 26],
    parts: ({ store, chain }) => ({ chain, store: { ...store, unmine: async () => undefined } }),
  },
  {
    name: 'a timeout is a failure',
    without: 'the same nonce for bytes that may still be mined',
    focus: [21, 25],
    parts: ({ store, chain }) => ({
      store,
      chain: {
        ...chain,
        broadcast: raw =>
          chain.broadcast(raw).catch(async (error: unknown) => {
            const { hash, nonce } = fromRaw(raw)
            const intent = error instanceof Problem ? await store.intentByHash(chain.chainId, hash) : undefined
            if (intent) await store.reopenIntent(intent.seq, nonce)
            throw error
          }),
      },
    }),
  },
  {
    name: 'a sender that was overtaken sends all the same',
    without: 'the nonce taken by the write, one sender a wallet',
    focus: [47, 16, 19],
    parts: ({ store, chain }, { pause }) => ({
      store: withTables(store, tables => ({ recordSigned: async (...of) => (await tables.recordSigned(...of)) || true })),
      chain: {
        ...chain,
        async sign(of) {
          await pause()
          return chain.sign(of)
        },
      },
    }),
  },
  {
    name: 'a hire of another amount is signed',
    without: 'the gate in front of the wallets of users',
    focus: [],
    parts: ({ store, chain }) => ({
      store,
      chain: {
        ...chain,
        hire: terms => chain.hire({ ...terms, budget: terms.budget + 1n }),
        sign: async ({ sender, nonce, call }) => toSigned({ sender, nonce, fee: 2n * usualGasPrice, call }),
      },
    }),
  },
  {
    name: 'a refusal is an outage',
    without: 'what a node means by a refusal',
    focus: [26, 28],
    parts: ({ store, chain }) => ({
      store,
      chain: {
        ...chain,
        broadcast: raw =>
          chain.broadcast(raw).catch((error: unknown) => {
            throw error instanceof BroadcastRefused ? new Problem('chain-unavailable', error.message) : error
          }),
      },
    }),
  },
  {
    name: 'sent before it is written down',
    without: 'write-ahead',
    parts: ({ store, chain }) => ({
      store,
      chain: {
        ...chain,
        async sign(of) {
          const signed = await chain.sign(of)
          await chain.broadcast(signed.raw)
          return signed
        },
      },
    }),
  },
  {
    name: 'a new nonce for every retry',
    without: 'the same bytes again',
    focus: [21, 25],
    parts({ store, chain }) {
      const sent = new Set<string>()
      const broadcast: typeof chain.broadcast = async raw => {
        if (!sent.has(raw)) return void (await chain.broadcast(raw).finally(() => sent.add(raw)))
        const { nonce, ...tx } = fromRaw(raw)
        await chain.broadcast(toSigned({ ...tx, nonce: nonce + 1 }).raw)
      }
      return { store, chain: { ...chain, broadcast } }
    },
  },
  {
    name: 'gas money whenever it is asked for',
    without: 'one filling a transaction count',
    focus: [31],
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
