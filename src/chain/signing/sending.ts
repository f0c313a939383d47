import { BaseError, keccak256, TransactionReceiptNotFoundError } from 'viem'
import { BroadcastRefused } from '../../domain/chains/broadcast.ts'
import type { Address, Hex } from '../../domain/hex.ts'
import { Problem } from '../../domain/problem.ts'
import type { Call, Chain } from '../../ports.ts'
import { createFees, type Fees, raiseFees } from '../rpc/fees.ts'
import { answered, answeredOrNone, type Node } from '../rpc/node.ts'
import { readAnswer } from '../rpc/nodeWords.ts'
import type { ClientGate } from './clientGate.ts'
import type { SignerPolicy } from './signerPolicy.ts'
import type { Custody } from './wallets.ts'

export type Sending = Pick<Chain, 'sign' | 'broadcast' | 'hasGas' | 'replace'>

export type SendingDeps = {
  chainId: number
  node: Node
  wallets: Pick<Custody, 'holder'>
  policy: SignerPolicy
  gate: Pick<ClientGate, 'grantCall'>
  /** Highest fee per gas in wei. A transaction waits while the chain asks for more. */
  maxFeePerGasWei?: bigint | undefined
  afterBroadcast?: (() => void) | undefined
}

type Unsigned = { sender: Address; nonce: number; call: Call; purpose?: string; fees: Fees }

export const createSending = (deps: SendingDeps): Sending => {
  const { chainId, node, wallets, policy, gate, maxFeePerGasWei, afterBroadcast } = deps
  const fees = createFees(node, maxFeePerGasWei)

  const sign = async ({ sender, nonce, call, purpose, fees: offered }: Unsigned) => {
    const { role } = await wallets.holder(sender)
    policy(role, call, sender)
    const grant = await gate.grantCall({ role, sender, call, purpose })
    const { account } = await wallets.holder(sender, grant)
    const { to, data, value, gas } = call
    const raw = await account.signTransaction({ type: 'eip1559', chainId, nonce, to, data, value, gas, ...offered })
    return { hash: keccak256(raw), raw, nonce }
  }

  return {
    sign: async of => sign({ ...of, fees: await fees() }),

    async replace({ raw, nonce }, of) {
      const raised = raiseFees(raw, await fees(), maxFeePerGasWei)
      return raised && sign({ ...of, nonce, fees: raised })
    },

    async broadcast(raw) {
      const words = await send(node, raw)
      const answer = words === undefined ? 'known' : readAnswer(words)
      // The transaction is mined already, perhaps by an earlier broadcast whose answer was lost. That counts as success.
      const isDone = answer === 'known' || (answer === 'nonce-too-low' && (await isMined(node, raw)))
      if (!isDone) throw new BroadcastRefused(answer, words ?? '')
      afterBroadcast?.()
    },

    async hasGas(wallet, { value, gas }) {
      const [balance, { maxFeePerGas }] = await Promise.all([answered(node.getBalance({ address: wallet })), fees()])
      return balance >= value + gas * maxFeePerGas
    },
  }
}

/** Broadcasts a raw transaction. Returns the node's error message, or undefined when the node accepted it. */
const send = async (node: Node, raw: Hex): Promise<string | undefined> => {
  try {
    await answered(node.request({ method: 'eth_sendRawTransaction', params: [raw] }))
    return undefined
  } catch (error) {
    if (error instanceof Problem) throw error
    return error instanceof BaseError ? error.details : String(error)
  }
}

const isMined = async (node: Node, raw: Hex) =>
  (await answeredOrNone(node.getTransactionReceipt({ hash: keccak256(raw) }), TransactionReceiptNotFoundError)) !== undefined
