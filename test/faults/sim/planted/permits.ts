import { type Hex, hex } from '../../../../src/domain/hex.ts'
import type { PermittedTransfers } from '../../../../src/ports.ts'
import type { Mutation, Parts } from '../mutation.ts'

const withPermitted = ({ store, chain }: Parts, change: (of: PermittedTransfers) => Partial<PermittedTransfers>): Parts => ({
  store,
  chain: { ...chain, ...(chain.permitted && { permitted: { ...chain.permitted, ...change(chain.permitted) } }) },
})

const anyHash: Hex = `0x${'ab'.repeat(32)}`

/** Bugs of payments by Permit2, both of paid calls and of purchases. */
export const permits: readonly Mutation[] = [
  {
    name: 'a Permit2 settlement that was refused counts as paid',
    without: 'the look for the transfer by Permit2',
    focus: [37, 85, 86],
    parts: parts => withPermitted(parts, () => ({ transferOf: async () => anyHash })),
  },
  {
    name: 'a Permit2 payment without an answer counts as not made',
    without: "the look at Permit2's nonce",
    focus: [74, 83],
    parts: parts => withPermitted(parts, () => ({ stateOf: async () => 'expired' })),
  },
  {
    name: 'each try of a purchase by Permit2 signs another nonce',
    without: 'the one nonce of a purchase by Permit2',
    focus: [74, 83],
    parts: (parts, { random }) =>
      withPermitted(parts, of => ({
        signPurchase: async id => ({ ...(await of.signPurchase(id)), nonce: hex.parse(`0x${random.hex(64)}`) }),
      })),
  },
]
