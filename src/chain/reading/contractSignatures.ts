import {
  CallExecutionError,
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  hashMessage,
  isErc6492Signature,
} from 'viem'
import type { Chain } from '../../ports.ts'
import { answered, type Node } from '../rpc/node.ts'

/** Enough to deploy a wallet and to check a passkey's signature in Solidity. A wallet's code could burn any amount. */
const gas = 10_000_000n
/** The code of an address that has a key and delegates to a contract (EIP-7702). Such wallets sign with their key. */
const delegation = '0xef0100'

/**
 * Asks the code of a wallet about a signature. The call deploys the validator of ERC-6492 without a transaction, which
 * simulates the deployment of a wallet that is not there yet, and then asks the wallet (ERC-1271).
 */
export const createContractSignatures = (node: Node): Required<Pick<Chain, 'acceptsSignature'>> => ({
  async acceptsSignature({ wallet, message, signature }) {
    const code = (await answered(node.getCode({ address: wallet }))) ?? '0x'
    if (code.startsWith(delegation) || (code === '0x' && !isErc6492Signature(signature))) return false
    const data = encodeDeployData({
      abi: erc6492SignatureValidatorAbi,
      bytecode: erc6492SignatureValidatorByteCode,
      args: [wallet, hashMessage(message), signature],
    })
    try {
      const { data: answer = '0x' } = await answered(node.call({ data, gas }))
      return /^0x0*1$/.test(answer)
    } catch (error) {
      // The wallet's code reverted or used all gas.
      if (error instanceof CallExecutionError) return false
      throw error
    }
  },
})
