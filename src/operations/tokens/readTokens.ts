import { z } from 'zod'
import { chainId } from '../../domain/chains.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { resolveAgent } from '../agents/resolveAgent.ts'
import { operation } from '../operation.ts'
import { tokenOf } from './tokenOf.ts'
import { tokenRecord, toTokenRecord } from './tokenRecord.ts'

export const readToken = operation({
  name: 'readToken',
  summary: "An agent's token: price, supply, reserve. A token is no part of hiring, and ranks nothing.",
  caller: 'anyone',
  input: z.object({ token: z.string().max(200).describe('Address, or id or handle of the agent'), chain_id: chainId }),
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
    const agent = await resolveAgent(deps, text, chain_id)
    if (!agent?.id) throw new Problem('agent-not-found')
    const token = await deps.store.tokenOfAgent(agent.id)
    if (!token) throw new Problem('token-not-found', 'This agent has no token.')
    return toTokenRecord(deps, token)
  },
})

export const listTokens = operation({
  name: 'listTokens',
  summary: 'Tokens of agents, newest first.',
  caller: 'anyone',
  input: z.object({
    chain_id: z.coerce.number().int().optional(),
    limit: z.coerce.number().int().min(1).max(limits.pageRows).default(20),
    offset: z.coerce.number().int().min(0).default(0),
  }),
  output: z.object({ tokens: z.array(tokenRecord), total: z.number() }),

  async run({ chain_id, limit, offset }, deps) {
    const of = chain_id === undefined ? {} : { chainId: chain_id }
    const [tokens, total] = [await deps.store.tokens({ ...of, limit, offset }), await deps.store.countTokens(of)]
    return { tokens: await Promise.all(tokens.map(it => toTokenRecord(deps, it))), total }
  },
})
