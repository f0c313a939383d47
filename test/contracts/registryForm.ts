import type { Address } from 'viem'

/** The typed data (EIP-712) that the identity registry takes a signature of. */
export const registryForm = (registry: Address) => ({
  domain: { name: 'ERC8004IdentityRegistry', version: '1', chainId: 97, verifyingContract: registry },
  types: {
    AgentRegistration: [
      { name: 'owner', type: 'address' },
      { name: 'agentURI', type: 'string' },
      { name: 'agentWallet', type: 'address' },
      { name: 'deadline', type: 'uint256' },
    ],
    AgentWalletSet: [
      { name: 'agentId', type: 'uint256' },
      { name: 'newWallet', type: 'address' },
      { name: 'owner', type: 'address' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
})
