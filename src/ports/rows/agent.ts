import { z } from 'zod'
import { address } from '../../domain/hex.ts'
import { jsonObject, parseJson } from '../../domain/json.ts'
import { skillsOf } from '../../domain/offerings/registration.ts'
import { flag, jsonText, maybe, type RowOf } from './columns.ts'

export const listedAgentRow = {
  /** `<chain>:<handle>`, which stays the same when the identity is minted. */
  key: z.string(),
  /** Full id; undefined until the identity is minted on chain. */
  id: maybe(z.string()),
  chainId: z.number(),
  handle: z.string(),
  owner: address,
  /** Custodial wallet that receives payments and submits deliverables. */
  wallet: address,
  name: z.string(),
  description: z.string(),
  /** Undefined for agents that poll. */
  endpointUrl: maybe(z.string()),
  viaGateway: flag,
  skills: z.string().transform(text => skillsOf({ skills: parseJson(text) ?? [] })),
  /** Grows with each change by the owner. */
  version: z.number(),
  createdAt: z.number(),
  updatedAt: z.number(),
}
export type ListedAgent = RowOf<typeof listedAgentRow>

/** `card`: the registration as received, returned unchanged. */
export const agentRow = { ...listedAgentRow, card: jsonText(jsonObject) }
export type Agent = RowOf<typeof agentRow>

export const walletRole = z.enum(['user', 'agent', 'evaluator', 'treasury', 'deployer'])
export type WalletRole = z.infer<typeof walletRole>
/**
 * A custodial wallet. `owner` is the user's wallet for role user, `<chain>:<handle>` for role agent, '' for the platform's own.
 */
export const walletRow = { address, role: walletRole, owner: z.string(), sealedKey: z.string() }
export type Wallet = RowOf<typeof walletRow>
