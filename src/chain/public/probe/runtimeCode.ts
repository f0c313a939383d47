import { concat, size, slice } from 'viem'
import { type Address, type Hex, hex } from '../../../domain/hex.ts'
import { answered, type Node } from '../../rpc/node.ts'

/** Storage slot in which a proxy keeps the address of its implementation (ERC-1967). */
const implementationSlot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'

/** The runtime code at an address and, for a proxy, that of its implementation. Lower case hex. */
export const codeBehind = async (node: Node, address: Address): Promise<Hex> => {
  const [own, slot] = await Promise.all([
    answered(node.getCode({ address })),
    answered(node.getStorageAt({ address, slot: implementationSlot })),
  ])
  const implementation = slot && size(slot) === 32 ? slice(slot, 12) : undefined
  const behind =
    implementation && BigInt(implementation) > 0n ? await answered(node.getCode({ address: implementation })) : undefined
  return hex.parse(concat([own ?? '0x', behind ?? '0x']).toLowerCase())
}

/** Whether the runtime code contains the selector, as its function dispatcher compares with it. */
export const hasFunction = (code: Hex, selector: Hex): boolean => code.includes(selector.slice(2))
