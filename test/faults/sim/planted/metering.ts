import { decodeFunctionData, encodeFunctionData } from 'viem'
import { uptoProxyAbi } from '../../../../src/chain/signing/uptoTransfers.ts'
import { paidCallsOf } from '../../../../src/features/x402Selling/ports.ts'
import type { Call, UptoTransfers } from '../../../../src/ports.ts'
import type { Mutation, Parts } from '../mutation.ts'
import { withTables } from './withTables.ts'

const withUpto = ({ store, chain }: Parts, change: (of: UptoTransfers) => Partial<UptoTransfers>): Parts => ({
  store,
  chain: { ...chain, ...(chain.upto && { upto: { ...chain.upto, ...change(chain.upto) } }) },
})

/** Changes what is taken of a paid call, both in the books and on the chain. */
const taking = ({ store, chain }: Parts, change: (amount: bigint, signed: bigint) => bigint): Parts =>
  withUpto(
    {
      chain,
      store: withTables(store, tables => ({
        async takePaidCall(id, taken) {
          const call = await paidCallsOf(tables).paidCall(id)
          await paidCallsOf(tables).takePaidCall(id, change(taken, call?.amount ?? 0n))
        },
      })),
    },
    of => ({ take: (settlement, amount) => of.take(settlement, change(amount, signedIn(settlement))) }),
  )

const settleOf = ({ data }: Call) => {
  const { functionName, args } = decodeFunctionData({ abi: uptoProxyAbi, data })
  if (functionName !== 'settle') throw new RangeError('this is no settlement')
  return args
}

const signedIn = (settlement: Call): bigint => settleOf(settlement)[0].permitted.amount

/** A settlement of more than was signed. The modelled proxy knows what was signed only from the call. */
const raised = (call: Call): Call => {
  const [permit, amount, ...rest] = settleOf(call)
  const most = permit.permitted.amount + amount
  const signed = { ...permit, permitted: { ...permit.permitted, amount: most } }
  return { ...call, data: encodeFunctionData({ abi: uptoProxyAbi, functionName: 'settle', args: [signed, most, ...rest] }) }
}

/** Bugs of payments by use (scheme `upto`), both of paid calls and of purchases. */
export const metering: readonly Mutation[] = [
  {
    name: 'a call at a price by use takes all that was signed',
    without: 'the price of the units of a paid call',
    focus: [],
    byUse: true,
    parts: parts => taking(parts, (_amount, signed) => signed),
  },
  {
    name: 'a call at a price by use takes twice what was used',
    without: 'the units in the settlement',
    focus: [],
    byUse: true,
    parts: parts => taking(parts, (amount, signed) => (2n * amount < signed ? 2n * amount : signed)),
  },
  {
    name: 'a settlement by use takes more than was signed',
    without: 'the signed maximum',
    focus: [],
    byUse: true,
    parts: parts => withUpto(parts, of => ({ take: (settlement, amount) => raised(of.take(settlement, amount)) })),
  },
  {
    name: 'a settlement by use takes another amount than the books say',
    without: 'the amount in the look at a settlement by use',
    focus: [],
    byUse: true,
    parts: parts =>
      withUpto(parts, of => ({
        take: (settlement, amount) => of.take(settlement, amount / 2n + 1n),
        transferOf: async (it, asked) => {
          const seen = await of.takenOf(it, asked)
          return seen === undefined || seen === 'unclear' ? seen : seen.hash
        },
      })),
  },
  {
    name: 'a failed job at a price by use is charged',
    without: 'the accepted deliverable before a settlement by use',
    focus: [],
    byUse: true,
    parts: ({ store, chain }) => ({
      chain,
      store: withTables(store, tables => ({
        async moveJob(id, event, patch) {
          const moved = await tables.moveJob(id, event, patch)
          const call = moved?.kind === 'paid-call' && event === 'refund' ? await paidCallsOf(tables).paidCallOfJob(id) : undefined
          if (!call || !chain.upto || call.settlement.to !== chain.upto.spender || call.settling !== undefined) return moved
          const taken = chain.upto.take(call.settlement, call.amount)
          const { chainId, sender } = call
          await tables.addIntents([{ key: `x402:${call.id}`, chainId, sender, call: taken, after: undefined }])
          return moved
        },
      })),
    }),
  },
  {
    name: 'a purchase by use is booked as a whole',
    without: 'the look at what a seller took',
    focus: [74],
    byUse: true,
    parts: parts =>
      withUpto(parts, of => ({
        async takenOf(it, asked) {
          const seen = await of.takenOf(it, asked)
          return seen === undefined || seen === 'unclear' ? seen : { ...seen, amount: it.value }
        },
      })),
  },
  {
    name: 'a payment by use whose answer was lost counts as not made',
    without: "the look at Permit2's nonce of a payment by use",
    focus: [74, 83],
    byUse: true,
    parts: parts => withUpto(parts, () => ({ stateOf: async () => 'expired' })),
  },
  {
    name: 'a refused settlement by use counts as paid',
    without: 'the look for the transfer of a payment by use',
    focus: [37, 92, 93],
    byUse: true,
    parts: parts => withUpto(parts, () => ({ transferOf: async () => `0x${'ab'.repeat(32)}` })),
  },
]
