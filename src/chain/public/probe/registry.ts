import { ContractFunctionExecutionError } from 'viem'
import type { Address, Hex } from '../../../domain/hex.ts'
import { agentRegistryAbi } from '../../contracts/artifacts/AgentRegistry.ts'
import { lower } from '../../rpc/checksum.ts'
import { answeredOrNone, type Node } from '../../rpc/node.ts'
import { registrationSelectors } from '../../signing/permissions.ts'
import type { Registrar } from '../../signing/policy.ts'
import type { ChainSettings } from '../chainConfigs.ts'
import { hasFunction } from './runtimeCode.ts'

/** Determines which wallet registers agents: the treasury when the registry has `registerFor`, otherwise each agent's own. */
export const probeRegistry = ({ chainId, registry }: ChainSettings, code: Hex): { finding?: string; registrar: Registrar } => {
  if (hasFunction(code, registrationSelectors.treasury)) return { registrar: 'treasury' }
  if (hasFunction(code, registrationSelectors.agent)) return { registrar: 'agent' }
  return {
    registrar: 'agent',
    finding:
      `The contract at ${registry} (REGISTRY_${chainId}) is not an ERC-8004 identity registry: ` +
      'it has no function to register an agent.',
  }
}

/** Whether a registry with `registerFor` takes it from this treasury. One that names no registrar takes it from everybody. */
export const registersFor = async (node: Node, registry: Address, treasury: Address): Promise<boolean> => {
  const reading = node.readContract({ address: registry, abi: agentRegistryAbi, functionName: 'registrar' })
  const registrar = await answeredOrNone(reading, ContractFunctionExecutionError)
  return registrar === undefined || lower(registrar) === treasury
}
