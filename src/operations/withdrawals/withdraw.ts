import { z } from 'zod'
import { chainId } from '../../domain/chains/chains.ts'
import { toIso } from '../../domain/durations.ts'
import type { Address } from '../../domain/hex.ts'
import { sha256 } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { type Atomic, formatUsdc, parseUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import { assetOfSymbol, assetSymbol, coinDecimals } from '../../domain/tokens/agentToken.ts'
import { tokenDecimals } from '../../domain/tokens/tokenCurve.ts'
import type { Chain, FollowedWithdrawal, HeldAsset, OtherToken } from '../../ports.ts'
import { withdrawalRecord } from '../../records/withdrawal.ts'
import { ownAgent } from '../agents/resolveAgent.ts'
import { walletAddress } from '../identity/approveAuthorization.ts'
import { type Caller, chainOf, type Deps, operation, userOf } from '../operation.ts'
import { launchpadOf, spendable } from '../wallets/readWallet.ts'
import { agreed, recipientOf, take } from './takeWithdrawal.ts'

export const withdraw = operation({
  name: 'withdraw',
  summary:
    "Withdraw USDC, coin or tokens from your custodial wallet or your agent's: to your own wallet, or to a withdrawal address " +
    'that you added before. The treasury pays the gas.',
  scope: 'money',
  repeats: 'same',
  isYes: () => true,
  input: z.strictObject({
    agent_id: z
      .string()
      .max(200)
      .nullish()
      .describe('Agent whose wallet to withdraw from; your own custodial wallet when absent'),
    chain_id: chainId,
    amount: z
      .union([z.string().max(100), z.number()])
      .optional()
      .describe('Decimal amount; when absent, all that is not reserved for a hire, a trade or gas'),
    asset: z
      .string()
      .max(200)
      .default('USDC')
      .describe(
        'USDC, the coin of the chain, its wrapped form (BNB, WBNB), or a token: its address, its symbol in `others` of the ' +
          'wallet, or id or handle of its agent',
      ),
    to: walletAddress.optional().describe('One of your withdrawal addresses; your own wallet when absent'),
  }),
  output: withdrawalRecord,

  async run({ agent_id, chain_id, amount, asset: text, to: named }, deps, caller) {
    const user = userOf(caller)
    const id = toId(deps, user, caller.idempotencyKey)
    // A repeated request needs no second signature of a passkey.
    const known = caller.idempotencyKey === undefined ? undefined : await deps.store.withdrawal(id)
    if (known) return toWithdrawalRecord(known)
    const from = await sourceOf(deps, { agentId: agent_id ?? undefined, chainId: chain_id, caller })
    const to = await recipientOf(deps, { user, wallet: from.wallet, chainId: from.chain.chainId, to: named })
    const held = await heldAs(deps, text, from)
    const asked = amount === undefined ? undefined : toAmount(amount, held)
    return toWithdrawalRecord(await take(deps, await agreed(deps, { ...from, ...held, id, user, to, asked }, caller)))
  },
})

type Source = { wallet: Address; chain: Chain }

const sourceOf = async (deps: Deps, of: { agentId: string | undefined; chainId: number; caller: Caller }): Promise<Source> => {
  if (of.agentId === undefined)
    return { wallet: await deps.wallets.ensure('user', userOf(of.caller)), chain: chainOf(deps, of.chainId) }
  const agent = await ownAgent(deps, of.agentId, of.caller)
  return { wallet: agent.wallet, chain: chainOf(deps, agent.chainId) }
}

/** What is withdrawn, with the amount that the wallet can spend. */
type Held = { asset: HeldAsset; symbol: string; decimals: number; held: Atomic }

/** @throws Problem token-not-found, tokens-not-offered */
const heldAs = async (deps: Deps, text: string, { wallet, chain }: Source): Promise<Held> => {
  const { chainId, usdcDecimals } = chain
  const other = otherNamed(chain, text)
  if (other) return { ...other, asset: other.address, held: await spendable(chain, wallet, other.address) }
  const named = assetOfSymbol(text, chainId)
  if (!named && !chain.launchpad) throw new Problem('token-not-found', unlisted)
  // Tokens, coin and wrapped coin come from trades, so they are withdrawn where tokens are offered.
  if (named !== 'usdc') launchpadOf(deps, chainId)
  if (!named && !deps.tokens) throw new Problem('tokens-not-offered')
  const token = named ? undefined : await deps.tokens?.find(text, chainId, deps)
  const asset = named ?? token?.token ?? 'usdc'
  const symbol = token?.symbol ?? assetSymbol(named ?? 'usdc', chainId)
  const decimals = token ? tokenDecimals : named === 'usdc' ? usdcDecimals : coinDecimals
  return { asset, symbol, decimals, held: await spendable(chain, wallet, asset) }
}

/**
 * A token of the closed list, by its address or symbol. It is taken out wherever it arrived, also where no tokens are offered.
 */
const otherNamed = ({ others }: Chain, text: string): OtherToken | undefined =>
  others?.tokens.find(it => [it.address, it.symbol.toLowerCase()].includes(text.toLowerCase()))

const unlisted = 'This service does not send this token. Who runs it can add its address to OTHER_TOKENS_<chain id>.'

const toAmount = (amount: string | number, { symbol, decimals }: Held): Atomic => {
  const parsed = parseUsdc(amount, decimals)
  if (parsed !== undefined && parsed > 0n) return parsed
  throw new Problem('invalid-input', `An amount of ${symbol} above 0 with at most ${decimals} decimals.`, '/amount')
}

/** The same idempotency key always gives the same withdrawal id. */
const toId = ({ ids }: Deps, user: Address, key: string | undefined) =>
  key === undefined ? ids.fresh('withdrawal') : `withdrawal_${sha256(`${user}:${key}`).slice(0, 32)}`

const statuses = { waiting: 'pending', sent: 'pending', confirmed: 'done', reverted: 'failed' } as const

const toWithdrawalRecord = (it: FollowedWithdrawal): z.infer<typeof withdrawalRecord> => ({
  withdrawal_id: it.id,
  chain_id: it.chainId,
  from: it.wallet,
  to: it.to,
  amount: formatUsdc(it.amount, it.decimals),
  asset: it.asset === 'usdc' || it.asset === 'wrapped' || it.asset === 'coin' ? assetSymbol(it.asset, it.chainId) : it.asset,
  status: statuses[it.state],
  tx_hash: it.hash ?? null,
  created_at: toIso(it.createdAt),
})

export const listWithdrawals = operation({
  name: 'listWithdrawals',
  summary: 'Your withdrawals, newest first.',
  scope: 'look',
  input: z.object({}),
  output: z.object({ withdrawals: z.array(withdrawalRecord) }),

  async run(_, { store }, caller) {
    const withdrawals = await store.withdrawals({ user: userOf(caller), limit: limits.pageRows })
    return { withdrawals: withdrawals.map(toWithdrawalRecord) }
  },
})
