import { z } from 'zod'
import { jsonObject } from '../../domain/json.ts'
import { billion, formatUsdc, oneUsdc, parseUsdc } from '../../domain/money/money.ts'
import { callFeeOf } from '../../domain/offerings/resources.ts'
import { Problem } from '../../domain/problem.ts'
import type { Agent, ListedAgent, Tables } from '../../ports.ts'
import { page, selfNamed, userId } from '../accounts/users.ts'
import { chainOf, type Deps, operation } from '../operation.ts'
import { findRegistered, ownAgent } from './resolveAgent.ts'

/** Price of a direct call to an agent. Never null, because existing clients fail on that. */
const pricing = z.object({
  identifier: z.string(),
  amount: z.number().describe('USDC for one direct call; offerings have their own prices'),
  currency: z.literal('USDC'),
  metadata: jsonObject,
})

const toPricing = (agent: ListedAgent, price: string): z.infer<typeof pricing> => ({
  identifier: agent.id ?? '',
  amount: Number(price),
  currency: 'USDC',
  metadata: { handle: agent.handle, chain_id: agent.chainId },
})

export const readPricing = operation({
  name: 'readPricing',
  summary: 'The price of a direct call of an agent.',
  caller: 'anyone',
  input: z.object({ user_id: userId, agent: z.string().max(200) }),
  output: pricing,

  async run({ agent: text }, deps) {
    const agent = await findRegistered(deps, text)
    return toPricing(agent, await deps.store.callPrice(agent.key))
  },
})

export const updatePricing = operation({
  name: 'updatePricing',
  summary: 'Set the price of a direct call of one of your agents. Open proposals keep their price.',
  scope: 'sell',
  input: z
    .object({
      user_id: userId,
      agent: z.string().max(200),
      amount: z.union([z.number(), z.string().max(100)]),
      currency: z.string().max(20).nullish(),
    })
    .loose(),
  output: pricing,

  async run({ user_id, agent: text, amount, currency }, deps, caller) {
    selfNamed(user_id, caller)
    const agent = await ownAgent(deps, text, caller)
    if (currency && !/^USDC?$/i.test(currency)) throw new Problem('invalid-price', 'Prices are in USDC.', '/currency')
    const price = toPrice(amount, agent.chainId, deps)
    await deps.store.setCallPrice(agent.key, price)
    return toPricing(agent, price)
  },
})

const toPrice = (amount: number | string, chainId: number, deps: Deps): string => {
  const { usdcDecimals } = chainOf(deps, chainId)
  const atomic = parseUsdc(amount, usdcDecimals)
  if (atomic === undefined || atomic >= oneUsdc(usdcDecimals) * billion)
    throw new Problem('invalid-price', `A price is a decimal number of USDC with at most ${usdcDecimals} decimals.`, '/amount')
  return formatUsdc(atomic, usdcDecimals)
}

export const listPricing = operation({
  name: 'listPricing',
  summary: 'The prices of direct calls of all agents.',
  caller: 'anyone',
  input: z.object(page),
  output: z.object({ prices: z.array(pricing), total: z.number(), limit: z.number(), offset: z.number() }),

  async run({ limit, offset }, { store }) {
    const agents = await store.agents({ limit, offset })
    const prices = await store.callPrices(agents.map(it => it.key))
    return {
      prices: agents.map(it => toPricing(it, prices.get(it.key) ?? '0')),
      total: await store.countAgents({}),
      limit,
      offset,
    }
  },
})

/**
 * Applies a changed fee in a registration as the agent's price of a paid call. An unchanged fee is ignored, because the owner
 * may have set another price since.
 * @param before the agent before the change
 */
export const followCallFee = async (
  tables: Pick<Tables, 'setCallPrice'>,
  before: Agent,
  callFee: string | undefined,
): Promise<void> => {
  if (callFee !== callFeeOf(before.card)) await tables.setCallPrice(before.key, callFee ?? '0')
}
