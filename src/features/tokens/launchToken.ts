import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { checkName } from '../../domain/text/names.ts'
import { assetOfSymbol, isMoneySymbol, tokenName, tokenSymbol } from '../../domain/tokens/agentToken.ts'
import { ownAgent } from '../../operations/agents/resolveAgent.ts'
import { maySpend } from '../../operations/gasBudget.ts'
import { type Deps, operation } from '../../operations/operation.ts'
import { waitUntil } from '../../operations/waiting.ts'
import { launchpadOf } from '../../operations/wallets/readWallet.ts'
import type { FollowedLaunch, LaunchOrder, ReserveKind } from '../../ports.ts'
import { tokenRecord } from '../../records/token.ts'
import { tokenTables } from './ports.ts'
import { toTokenRecord } from './tokenRecord.ts'

export const launchToken = operation({
  name: 'launchToken',
  summary: 'Launch the token of your agent on a bonding curve: once per agent, with a fixed supply. The treasury pays the gas.',
  scope: 'money',
  repeats: 'same',
  input: z.strictObject({
    agent: z.string().max(200),
    name: tokenName,
    symbol: tokenSymbol,
    reserve_asset: z.string().max(10).default('USDC').describe('What the curve holds: USDC, or the wrapped coin of the chain'),
  }),
  output: z.object({
    status: z.enum(['pending', 'launched', 'failed']),
    reason: z.string(),
    tx_hash: z.string().nullable(),
    token: tokenRecord.nullable(),
  }),

  async run({ agent: text, name, symbol, reserve_asset }, deps, caller) {
    checkName(name, '/name')
    if (isMoneySymbol(symbol)) throw new Problem('invalid-input', `${symbol} could be taken for money of a chain.`, '/symbol')
    const agent = await ownAgent(deps, text, caller)
    const { chain, launchpad } = launchpadOf(deps, agent.chainId)
    const reserveKind = toReserve(reserve_asset, { chainId: agent.chainId, hasCoin: launchpad.wrappedCoin !== undefined })
    const wanted = { agentKey: agent.key, chainId: agent.chainId, reserveKind, name, symbol }
    const number = BigInt(agent.id.split(':').at(-1) ?? '')
    const order = await deps.store.atomically(async tables => {
      await tables.lockAgent(agent.key)
      const known = await tokenTables(tables).newestLaunchOrder(agent.key)
      if (known && known.state !== 'reverted') return sameOrder(known, wanted)
      if (await tokenTables(tables).tokenOfAgent(agent.id)) throw new Problem('token-exists')
      if (!(await maySpend(tables, { wallet: agent.owner, chain }, 'launch'))) throw new Problem('gas-budget-used')
      const added = await tokenTables(tables).addLaunchOrder({ ...wanted, id: deps.ids.fresh('launch') })
      const call = launchpad.launch(number, { reserveKind, name, symbol })
      const of = { chainId: agent.chainId, sender: agent.wallet, call, after: undefined }
      await tables.addIntents([{ key: `launch:${added.id}`, ...of }])
      return added
    })
    await awaitLaunch(deps, { agentId: agent.id, id: order.id, signal: caller.signal })
    const [token, now] = [
      await tokenTables(deps.store).tokenOfAgent(agent.id),
      await tokenTables(deps.store).launchOrder(order.id),
    ]
    const tx_hash = now?.hash ?? null
    if (token) return { status: 'launched' as const, reason: '', tx_hash, token: await toTokenRecord(deps, token) }
    if (now?.state !== 'reverted') return { status: 'pending' as const, reason: '', tx_hash, token: null }
    return { status: 'failed' as const, reason: now.reason || 'The launchpad refused the launch.', tx_hash, token: null }
  },
})

const toReserve = (symbol: string, { chainId, hasCoin }: { chainId: number; hasCoin: boolean }): ReserveKind => {
  const asset = assetOfSymbol(symbol, chainId)
  if (asset === 'usdc' || (asset === 'wrapped' && hasCoin)) return asset
  throw new Problem('invalid-input', `A curve holds USDC or the wrapped coin of its chain, not ${symbol}.`, '/reserve_asset')
}

type Wanted = Omit<LaunchOrder, 'id' | 'createdAt'>

/** A repeated launch with the same terms returns the existing order. */
const sameOrder = (known: FollowedLaunch, { name, symbol, reserveKind }: Wanted): FollowedLaunch => {
  if (known.name === name && known.symbol === symbol && known.reserveKind === reserveKind) return known
  throw new Problem('token-exists')
}

type Awaiting = { agentId: string; id: string; signal: AbortSignal | undefined }

const awaitLaunch = async (deps: Deps, { agentId, id, signal }: Awaiting) => {
  const at = { channel: 'blocks', deadline: deps.clock.now() + limits.tokenWaitMs, signal }
  await waitUntil(deps, at, async () => {
    if (await tokenTables(deps.store).tokenOfAgent(agentId)) return true
    return (await tokenTables(deps.store).launchOrder(id))?.state === 'reverted' ? true : undefined
  })
}
