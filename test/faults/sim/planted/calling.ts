import { type Hex, hex } from '../../../../src/domain/hex.ts'
import { paidCallsOf } from '../../../../src/features/x402Selling/ports.ts'
import type { Chain } from '../../../../src/ports.ts'
import type { Mutation, Parts } from '../mutation.ts'
import { withTables } from './withTables.ts'

const anyHash: Hex = `0x${'ab'.repeat(32)}`

type Authorized = NonNullable<Chain['authorized']>

const withAuthorized = ({ store, chain }: Parts, change: (of: Authorized) => Partial<Authorized>): Parts => ({
  store,
  chain: { ...chain, ...(chain.authorized && { authorized: { ...chain.authorized, ...change(chain.authorized) } }) },
})

/** Bugs of paid calls and purchases (x402). */
export const calling: readonly Mutation[] = [
  {
    name: 'a paid call is charged again after a dropped answer',
    without: 'the memory of which payment bought which call',
    focus: [75, 83],
    parts: ({ store, chain }) => ({
      chain,
      store: withTables(store, () => ({ paidCallOfNonce: async () => undefined })),
    }),
  },
  {
    name: 'a deliverable is handed out before it is paid',
    without: 'the wait for the settlement',
    focus: [28, 83],
    parts: ({ store, chain }) => ({
      chain,
      store: withTables(store, tables => ({
        async moveJob(id, event, patch) {
          const moved = await tables.moveJob(id, event, patch)
          return moved && event === 'accept' && moved.kind === 'paid-call'
            ? ((await tables.moveJob(id, 'confirm')) ?? moved)
            : moved
        },
      })),
    }),
  },
  {
    name: 'one payment buys two calls',
    without: 'the claim of the nonce',
    focus: [75],
    parts: ({ store, chain }, { random }) => ({
      chain,
      store: withTables(store, tables => ({
        addPaidCall: call => paidCallsOf(tables).addPaidCall({ ...call, nonce: hex.parse(`0x${random.hex(64)}`) }),
      })),
    }),
  },
  {
    name: 'a payment is never settled',
    without: 'the intent beside the accepted deliverable',
    focus: [84],
    parts: ({ store, chain }) => ({
      chain,
      store: withTables(store, tables => ({
        addIntents: intents => tables.addIntents(intents.filter(it => !it.key.startsWith('x402:'))),
      })),
    }),
  },
  {
    name: 'a payment that the facilitator did not settle is forgotten',
    without: 'the own settlement behind the facilitator',
    focus: [95],
    parts: ({ store, chain }) => ({
      chain,
      store: withTables(store, () => ({ resumeSettlement: async () => false })),
    }),
  },
  {
    name: 'each try of a purchase signs a new authorization',
    without: 'the one nonce of a purchase',
    focus: [74, 83],
    parts: (parts, { random }) =>
      withAuthorized(parts, of => ({
        signPurchase: async id => ({ ...(await of.signPurchase(id)), nonce: hex.parse(`0x${random.hex(64)}`) }),
      })),
  },
  {
    name: 'a lost answer is a payment that was not made',
    without: "the look at the token's authorization state",
    focus: [74, 83],
    parts: parts => withAuthorized(parts, () => ({ stateOf: async () => 'expired' })),
  },
  {
    name: "a seller's word is taken for a payment",
    without: "the look at the token's authorization state and at the transfer",
    focus: [74],
    parts: parts => withAuthorized(parts, () => ({ stateOf: async () => 'used', transferOf: async () => anyHash })),
  },
]
