import { type ContractFunctionName, toFunctionSelector } from 'viem'
import { getAbiItem } from 'viem/utils'
import type { Address } from '../domain/hex.ts'
import type { Chain } from '../ports.ts'
import { agentRegistryAbi } from './contracts/artifacts/AgentRegistry.ts'
import { jobEscrowAbi } from './contracts/artifacts/JobEscrow.ts'
import { testUsdcAbi } from './contracts/artifacts/TestUsdc.ts'
import type { Permission } from './signerPolicy.ts'

const escrowFunction = (name: ContractFunctionName<typeof jobEscrowAbi>) =>
  toFunctionSelector(getAbiItem({ abi: jobEscrowAbi, name }))

type PermissionOptions = { addresses: Chain['addresses']; faucet: boolean }

/**
 * Everything that custodial wallets sign for a chain. An expired job's refund is open to anyone and always reaches the
 * client, so any of our wallets may fetch it.
 */
export const toPermissions = ({ addresses: { escrow, usdc, registry }, faucet }: PermissionOptions): Permission[] => [
  { role: 'user', contract: escrow, selector: escrowFunction('createAndFundWithAuthorization') },
  { role: 'agent', contract: escrow, selector: escrowFunction('submit') },
  { role: 'evaluator', contract: escrow, selector: escrowFunction('complete') },
  { role: 'evaluator', contract: escrow, selector: escrowFunction('reject') },
  { role: 'evaluator', contract: escrow, selector: escrowFunction('claimRefund') },
  { role: 'treasury', contract: escrow, selector: escrowFunction('claimRefund') },
  { role: 'user', contract: escrow, selector: escrowFunction('claimRefund') },
  {
    role: 'treasury',
    contract: registry,
    selector: toFunctionSelector(getAbiItem({ abi: agentRegistryAbi, name: 'registerFor' })),
  },
  ...(faucet ? [mint(usdc)] : []),
]

const mint = (usdc: Address): Permission => ({
  role: 'treasury',
  contract: usdc,
  selector: toFunctionSelector(getAbiItem({ abi: testUsdcAbi, name: 'mint' })),
})
