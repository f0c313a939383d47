import { BaseError, keccak256, toHex } from 'viem'
import { permit2Address } from '../../../domain/x402/x402.ts'
import { lower } from '../../rpc/checksum.ts'
import { answered, answeredOrNone, type Node } from '../../rpc/node.ts'
import { permitProxyAbi as abi, permitProxy } from '../../signing/permittedTransfers.ts'

/** Type of the witness for which payers sign. */
const witnessType = keccak256(toHex('Witness(address to,uint256 validAfter)'))

/** Whether Permit2 and the proxy of x402 are deployed at their known addresses, and the proxy has the expected witness. */
export const probePermit = async (node: Node): Promise<boolean> => {
  const [code, permit2, type] = await Promise.all([
    answered(node.getCode({ address: permit2Address })),
    answeredOrNone(node.readContract({ address: permitProxy, abi, functionName: 'PERMIT2' }), BaseError),
    answeredOrNone(node.readContract({ address: permitProxy, abi, functionName: 'WITNESS_TYPEHASH' }), BaseError),
  ])
  return code !== undefined && permit2 !== undefined && lower(permit2) === permit2Address && type === witnessType
}
