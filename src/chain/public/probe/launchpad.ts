import { BaseError } from 'viem'
import type { Address } from '../../../domain/hex.ts'
import { tokenLaunchpadAbi as abi } from '../../contracts/artifacts/TokenLaunchpad.ts'
import { lower } from '../../rpc/checksum.ts'
import { answeredOrNone, type Node } from '../../rpc/node.ts'
import type { ChainSettings } from '../chainConfigs.ts'

/** Checks that a configured launchpad belongs to this registry and USDC, and that its fees go to the treasury. */
export const probeLaunchpad = async (
  { chainId, launchpad, usdc, registry }: ChainSettings,
  { node, treasury }: { node: Node; treasury: Address },
): Promise<{ finding: string } | { wrappedCoin: Address | undefined } | undefined> => {
  if (!launchpad) return undefined
  const name = `The launchpad at ${launchpad} (LAUNCHPAD_${chainId})`
  const read = async (functionName: 'usdc' | 'registry' | 'treasury' | 'wrappedCoin') => {
    const address = await answeredOrNone(node.readContract({ address: launchpad, abi, functionName }), BaseError)
    return address && lower(address)
  }
  const [paid, agents, receiver, wrapped] = [
    await read('usdc'),
    await read('registry'),
    await read('treasury'),
    await read('wrappedCoin'),
  ]
  if (!paid || !agents || !receiver || !wrapped) return { finding: `${name} does not answer as a TokenLaunchpad does.` }
  if (paid !== usdc.address) return { finding: `${name} trades in ${paid}, not in the USDC ${usdc.address}.` }
  if (agents !== registry) return { finding: `${name} reads the registry ${agents}, not ${registry}.` }
  if (receiver !== treasury)
    return { finding: `${name} pays its fee to ${receiver}, not to the treasury of this service, ${treasury}.` }
  return { wrappedCoin: /^0x0{40}$/.test(wrapped) ? undefined : wrapped }
}
