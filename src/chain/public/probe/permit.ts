import { BaseError, keccak256, toHex } from 'viem'
import type { Address } from '../../../domain/hex.ts'
import { permit2Address } from '../../../domain/x402/x402.ts'
import { lower } from '../../rpc/checksum.ts'
import { answered, answeredOrNone, type Node } from '../../rpc/node.ts'
import { permitProxyAbi as abi } from '../../signing/permittedTransfers.ts'
import { permitProxy, uptoProxy } from '../../signing/proxies.ts'

/** Whether Permit2 and the proxy of x402 are deployed at their known addresses, and the proxy has the expected witness. */
export const probePermit = (node: Node): Promise<boolean> => probe(node, permitProxy, 'Witness(address to,uint256 validAfter)')

/** The same for the proxy of the scheme `upto`. */
export const probeUpto = (node: Node): Promise<boolean> =>
  probe(node, uptoProxy, 'Witness(address to,address facilitator,uint256 validAfter)')

/** @param witness the type of the witness for which payers sign */
const probe = async (node: Node, proxy: Address, witness: string): Promise<boolean> => {
  const [code, permit2, type] = await Promise.all([
    answered(node.getCode({ address: permit2Address })),
    answeredOrNone(node.readContract({ address: proxy, abi, functionName: 'PERMIT2' }), BaseError),
    answeredOrNone(node.readContract({ address: proxy, abi, functionName: 'WITNESS_TYPEHASH' }), BaseError),
  ])
  return code !== undefined && permit2 !== undefined && lower(permit2) === permit2Address && type === keccak256(toHex(witness))
}
