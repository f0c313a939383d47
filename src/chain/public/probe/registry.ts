import type { Hex } from '../../../domain/hex.ts'
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
    finding: `The contract at ${registry} (REGISTRY_${chainId}) is not an ERC-8004 identity registry: it has no function to register an agent.`,
  }
}
