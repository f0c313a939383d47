import { paidCallsOf } from '../../../../src/features/x402Selling/ports.ts'
import type { AuthorizedTransfers } from '../../../../src/ports.ts'
import type { Hands, Mutation, Parts } from '../mutation.ts'
import { withTables } from './withTables.ts'

type TransferOf = AuthorizedTransfers['transferOf']
type Signed = Parameters<TransferOf>[0]
type Use = ReturnType<Hands['usesOf']>[number]

/** Takes for a payment whatever used its nonce on the chain and passes a lesser test. */
const paidBy = ({ store, chain }: Parts, { usesOf }: Hands, counts: (use: Use, signed: Signed) => boolean): Parts => {
  const transferOf: TransferOf = async signed => usesOf(signed).find(it => counts(it, signed))?.hash
  const { authorized, permitted } = chain
  return {
    store,
    chain: {
      ...chain,
      ...(authorized && { authorized: { ...authorized, transferOf } }),
      ...(permitted && { permitted: { ...permitted, transferOf } }),
    },
  }
}

/** Bugs that only dishonest payers, or a chain that changes its mind, bring to light. */
export const cheating: readonly Mutation[] = [
  {
    name: 'a used nonce counts as paid',
    without: 'the transfer in the receipt',
    focus: [92],
    parts: (parts, hands) => paidBy(parts, hands, () => true),
  },
  {
    name: 'a nonce that was taken back counts as paid',
    without: 'the difference between a use and a withdrawal of a nonce',
    focus: [93],
    parts: (parts, hands) =>
      paidBy(parts, hands, (use, { to, value }) => use.name === 'cancel' || (use.to === to && use.amount === value)),
  },
  {
    name: 'a transfer of another amount counts as paid',
    without: 'the amount in the look at a transfer',
    focus: [92],
    parts: (parts, hands) => paidBy(parts, hands, (use, { to }) => use.name === 'pay' && use.to === to),
  },
  {
    name: 'a transfer to somebody else counts as paid',
    without: 'the payee in the look at a transfer',
    focus: [92],
    parts: (parts, hands) => paidBy(parts, hands, (use, { value }) => use.name === 'pay' && use.amount === value),
  },
  {
    name: 'a call that failed ignores that it was paid after all',
    without: 'the way back from a failed payment',
    focus: [26, 86, 94],
    parts: ({ store, chain }) => ({
      chain,
      store: withTables(store, tables => ({
        moveJob: async (id, event, patch) => {
          const job = event === 'unrefund' ? await tables.job(id) : undefined
          return job?.chainJobId === undefined && event === 'unrefund' ? undefined : tables.moveJob(id, event, patch)
        },
      })),
    }),
  },
  {
    name: 'a receipt names our own transaction, whatever became of it',
    without: 'the transaction of the posting in the receipt',
    focus: [86],
    parts: ({ store, chain }) => ({
      chain,
      store: withTables(store, tables => ({
        async paidCall(id) {
          const call = await paidCallsOf(tables).paidCall(id)
          return call && { ...call, hash: (await tables.intent(`x402:${id}`))?.hash ?? call.hash }
        },
      })),
    }),
  },
  {
    name: 'a mined transaction is a successful one',
    without: 'the status of a receipt',
    focus: [29, 92, 94],
    parts: ({ store, chain }) => ({
      store,
      chain: {
        ...chain,
        async receipt(hash) {
          const mined = await chain.receipt(hash)
          return mined && { ...mined, success: true }
        },
      },
    }),
  },
  {
    name: 'a rebuild keeps what the books say about paid calls',
    without: 'the comparison of paid calls with the chain',
    focus: [92],
    parts: ({ store, chain }) => ({ chain, store: { ...store, decidedCalls: async () => [] } }),
  },
  {
    name: 'a validation that the registry refused stays away',
    without: 'the second response',
    focus: [26],
    parts: ({ store, chain }) => ({
      chain,
      store: withTables(store, tables => ({
        addIntents: intents => tables.addIntents(intents.filter(it => !it.key.includes(':validation-response:'))),
      })),
    }),
  },
  {
    name: 'a proposal that is written twice has two ends',
    without: 'the times that the log has told',
    focus: [1, 9, 13],
    butler: deps => ({ ...deps, tellAll: (id, events) => deps.tellAll(id, events).then(() => undefined) }),
  },
]
