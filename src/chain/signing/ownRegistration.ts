import { encodeFunctionData, size, stringToHex } from 'viem'
import type { Address } from '../../domain/hex.ts'
import type { Call, Chain } from '../../ports.ts'
import { agentRegistryAbi } from '../contracts/artifacts/AgentRegistry.ts'
import type { GasCeilings } from '../rpc/gas.ts'

/**
 * Registration at a registry without `registerFor`, such as the canonical one (ERC-8004). The agent's custodial wallet sends
 * it, and becomes owner of the identity and its payment wallet. The developer's address is stored as metadata. A transfer of
 * the identity to the developer would clear the payment wallet.
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
