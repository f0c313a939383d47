import { encodeFunctionData, size, stringToHex } from 'viem'
import type { Address } from '../../domain/hex.ts'
import type { Call, Chain } from '../../ports.ts'
import { agentRegistryAbi } from '../contracts/artifacts/AgentRegistry.ts'
import type { GasCeilings } from '../rpc/gas.ts'

/**
 * Registration where the registry knows none on behalf of others, as the canonical one (ERC-8004): the agent's custodial wallet
 * sends it and so becomes holder of the identity and its payment wallet at once; the developer is told as metadata. A transfer
 * to the developer would clear the payment wallet.
 */
export const createOwnRegistration = ({
  registry,
  gas,
}: {
  registry: Address
  gas: GasCeilings
}): Pick<Chain, 'registerAgent'> => ({
  registerAgent: async ({ owner, uri }): Promise<Call> => ({
    to: registry,
    data: encodeFunctionData({
      abi: agentRegistryAbi,
      functionName: 'register',
      args: [uri, [{ metadataKey: 'developer', metadataValue: owner }]],
    }),
    value: 0n,
    gas: gas.registerAgent + gas.registerAgentByte * BigInt(size(stringToHex(uri))),
  }),
})
