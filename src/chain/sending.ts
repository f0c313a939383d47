import { BaseError, keccak256 } from 'viem'
import { Problem } from '../domain/problem.ts'
import type { Chain } from '../ports.ts'
import { answered, type Node } from './node.ts'
import type { SignerPolicy } from './signerPolicy.ts'
import type { Custody } from './wallets.ts'

/** From a call to bytes on their way. */
export type Sending = Pick<Chain, 'sign' | 'broadcast' | 'hasGas'>

export type SendingDeps = {
  chainId: number
  node: Node
  wallets: Pick<Custody, 'holder'>
  policy: SignerPolicy
  /** The most that is offered for a unit of gas; a transaction waits while the chain asks for more. */
  maxFeePerGasWei?: bigint | undefined
  /** A hint that something was sent. */
  afterBroadcast?: (() => void) | undefined
}

/** How nodes say that they have these bytes, or had them: geth, erigon, anvil and those built on them. */
const harmless = /already known|already imported|already exists|known transaction|nonce too low|nonce is too low/i

export const createSending = ({ chainId, node, wallets, policy, maxFeePerGasWei, afterBroadcast }: SendingDeps): Sending => {
  const fees = createFees(node, maxFeePerGasWei)

  return {
    async sign(sender, nonce, call) {
      const { role, account } = await wallets.holder(sender)
      policy(role, call)
      const { to, data, value, gas } = call
      const raw = await account.signTransaction({ type: 'eip1559', chainId, nonce, to, data, value, gas, ...(await fees()) })
      return { hash: keccak256(raw), raw, nonce }
    },

    async broadcast(raw) {
      try {
        await answered(node.request({ method: 'eth_sendRawTransaction', params: [raw] }))
      } catch (error) {
        if (error instanceof Problem) throw error
        const reason = error instanceof BaseError ? error.details : String(error)
        if (!harmless.test(reason)) throw new Error(`The node refuses the transaction: ${reason}`)
      }
      afterBroadcast?.()
    },

    async hasGas(wallet, { value, gas }) {
      const [balance, { maxFeePerGas }] = await Promise.all([answered(node.getBalance({ address: wallet })), fees()])
      return balance >= value + gas * maxFeePerGas
    },
  }
}

type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/** About one block of the chains served here; a base fee grows by an eighth a block at most (EIP-1559). */
const feesMs = 1_000

/** Fees that stay good for some blocks: twice the base fee and the tip that the node suggests. */
const createFees = (node: Node, ceiling: bigint | undefined) => {
  const capped = (wei: bigint) => (ceiling !== undefined && wei > ceiling ? ceiling : wei)
  let known: { fees: Promise<Fees>; until: number } | undefined

  const ask = async (): Promise<Fees> => {
    const [block, tip] = await Promise.all([
      answered(node.getBlock({ blockTag: 'latest' })),
      answered(node.estimateMaxPriorityFeePerGas()),
    ])
    return { maxFeePerGas: capped(2n * (block.baseFeePerGas ?? 0n) + tip), maxPriorityFeePerGas: capped(tip) }
  }

  return (): Promise<Fees> => {
    if (known && performance.now() < known.until) return known.fees
    const fees = ask()
    known = { fees, until: performance.now() + feesMs }
    fees.catch(() => {
      known = undefined
    })
    return fees
  }
}
