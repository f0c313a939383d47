import { z } from 'zod'
import { chainOfQuery } from '../../domain/chains/chains.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { findRegistered } from '../../operations/agents/resolveAgent.ts'
import { type Deps, operation } from '../../operations/operation.ts'
import type { LaunchedToken } from '../../ports.ts'
import { tokenRecord } from '../../records/token.ts'
import { tokenTables } from './ports.ts'
import { tokenOf, toTokenRecord } from './tokenRecord.ts'

export const readToken = operation({
  name: 'readToken',
  summary: "An agent's token: price, supply, reserve. A token is no part of hiring, and ranks nothing.",
  caller: 'anyone',
  input: z.object({ token: z.string().max(200).describe('Address, or id or handle of the agent'), chain_id: chainOfQuery }),
  output: tokenRecord,
  run: async ({ token, chain_id }, deps) => toTokenRecord(deps, await tokenOf(deps, token, chain_id)),
})

export const readAgentToken = operation({
  name: 'readAgentToken',
  summary: 'The token of an agent.',
  caller: 'anyone',
  input: z.object({ agent: z.string().max(200), chain_id: z.coerce.number().int().optional() }),
  output: tokenRecord,

  async run({ agent: text, chain_id }, deps) {
    const token = await tokenOfAgent(deps, text, chain_id)
    if (!token) throw new Problem('token-not-found', 'This agent has no token.')
    return toTokenRecord(deps, token)
  },
})

/** @throws Problem agent-not-found */
const tokenOfAgent = async (deps: Deps, text: string, chainId: number | undefined): Promise<LaunchedToken | undefined> => {
  const agent = await findRegistered(deps, text, chainId)
  return tokenTables(deps.store).tokenOfAgent(agent.id)
}

export const listTokens = operation({
  name: 'listTokens',
  summary: 'Tokens of agents, newest first.',
  caller: 'anyone',
  input: z.object({
    chain_id: z.coerce.number().int().optional(),
    agent: z.string().max(200).optional().describe('Id or handle; only its token'),
    limit: z.coerce.number().int().min(1).max(limits.pageRows).default(20),
    offset: z.coerce.number().int().min(0).default(0),
  }),
  output: z.object({ tokens: z.array(tokenRecord), total: z.number() }),

  async run({ chain_id, agent, limit, offset }, deps) {
    if (agent !== undefined) {
      const found = await tokenOfAgent(deps, agent, chain_id)
      return { tokens: found ? [await toTokenRecord(deps, found)] : [], total: found ? 1 : 0 }
    }
    const of = chain_id === undefined ? {} : { chainId: chain_id }
    const [tokens, total] = [
      await tokenTables(deps.store).tokens({ ...of, limit, offset }),
      await tokenTables(deps.store).countTokens(of),
    ]
    return { tokens: await Promise.all(tokens.map(it => toTokenRecord(deps, it))), total }
  },
})
