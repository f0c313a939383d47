import { BaseError } from 'viem'
import { validationRegistryAbi as abi } from '../../contracts/artifacts/ValidationRegistry.ts'
import { lower } from '../../rpc/checksum.ts'
import { answeredOrNone, type Node } from '../../rpc/node.ts'
import type { ChainSettings } from '../chainConfigs.ts'

/** Checks that a configured validation registry belongs to the identity registry. Returns the finding, or undefined. */
export const probeValidation = async (
  { chainId, validation, registry }: ChainSettings,
  node: Node,
): Promise<string | undefined> => {
  if (!validation) return undefined
  const name = `The validation registry at ${validation} (VALIDATION_${chainId})`
  const agents = await answeredOrNone(
    node.readContract({ address: validation, abi, functionName: 'getIdentityRegistry' }),
    BaseError,
  )
  if (!agents) return `${name} does not answer as one of ERC-8004 does.`
  return lower(agents) === registry ? undefined : `${name} reads the registry ${lower(agents)}, not ${registry}.`
}
