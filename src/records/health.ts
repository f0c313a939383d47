import { z } from 'zod'

export const contracts = z.object({
  escrow: z.string(),
  usdc: z.string(),
  identity_registry: z.string().describe('The ERC-8004 registry of agents'),
  reputation_registry: z.string().describe('The ERC-8004 registry of feedback'),
  validation_registry: z.string().optional().describe('The ERC-8004 registry of validations; absent where none is configured'),
})

export const chainHealth = z.object({
  chain_id: z.number(),
  block: z.number(),
  contracts: contracts.describe('Addresses of the contracts in use on this chain'),
  embedded: z.boolean().describe('A private chain inside this service, with test money'),
  explorer: z
    .string()
    .optional()
    .describe('Base URL of the public block explorer (<explorer>/tx/<hash>); absent for an embedded chain'),
  notes: z.array(z.string()).describe('What the operator must do before jobs can be settled on this chain'),
})

export const refusal = z.object({ chain_id: z.number(), reason: z.string() })

export const health = z.object({
  status: z.enum(['healthy', 'unhealthy']).describe('healthy when hiring works on at least one chain'),
  reasons: z.array(z.string()).describe('Why hiring does not work now; empty when healthy'),
  chains: z.array(chainHealth),
  refused_chains: z.array(refusal),
  search: z.string(),
  model: z.string(),
})
export type HealthRecord = z.infer<typeof health>
