import type { Address } from '../../domain/hex.ts'
import type { Atomic } from '../../domain/money/money.ts'
import type { Chain, LaunchedToken, Launchpad, LedgerEntry, MinedTrade, Tables } from '../../ports.ts'
import type { FeeEvent } from './ports.ts'

/** Accounts of USDC have no prefix. Those of another asset begin with its address, and those of the coin with `coin`. */
const accountOf = (asset: string | undefined, account: string) => (asset === undefined ? account : `${asset}/${account}`)

const prefixOf = ({ reserveKind }: LaunchedToken, wrapped: Address | undefined): Address | undefined =>
  reserveKind === 'usdc' ? undefined : wrapped

type Traded = { seq: number; trade: MinedTrade; token: LaunchedToken; isCoin: boolean; wrapped: Address | undefined }

/**
 * Posts both sides of a trade: the asset with its fee, and the tokens. Coin is wrapped or unwrapped on its way, by the account
 * `wrapper`, so that each asset adds up to zero.
 */
export const bookTrade = (tables: Tables, { seq, trade, token, isCoin, wrapped }: Traded): Promise<boolean> => {
  const asset = prefixOf(token, wrapped)
  const { token: address, trader, side, tokens, amount, fee } = trade
  const sign = side === 'buy' ? 1n : -1n
  // A buyer pays the fee within the amount. A seller gets the amount, and the fee comes out of the curve besides it.
  const moved = side === 'buy' ? amount - fee : amount + fee
  const money: LedgerEntry[] = [
    { account: accountOf(asset, `wallet:${trader}`), amount: -sign * amount },
    { account: accountOf(asset, `curve:${address}`), amount: sign * moved },
    { account: accountOf(asset, `token-fees:${address}`), amount: fee },
  ]
  const wrapping: LedgerEntry[] = isCoin
    ? [
        { account: accountOf(asset, `wallet:${trader}`), amount: sign * amount },
        { account: accountOf(asset, 'wrapper'), amount: -sign * amount },
        { account: 'coin/wrapper', amount: sign * amount },
        { account: `coin/wallet:${trader}`, amount: -sign * amount },
      ]
    : []
  const goods: LedgerEntry[] = [
    { account: accountOf(address, `wallet:${trader}`), amount: sign * tokens },
    { account: accountOf(address, 'curve'), amount: -sign * tokens },
  ]
  return post(tables, { key: `trade:${seq}`, of: trade, entries: [...money, ...wrapping, ...goods] })
}

type PaidFees = {
  seq: number
  event: FeeEvent
  token: LaunchedToken
  facts: Pick<Awaited<ReturnType<Launchpad['facts']>>, 'creatorShareBps'>
  wrapped: Address | undefined
}

/** Posts the payment of a token's fees to its creator. The platform's part stays in the launchpad under its own account. */
export const bookFees = async (tables: Tables, { seq, event, token, wrapped }: PaidFees): Promise<boolean> => {
  const asset = prefixOf(token, wrapped)
  const from = accountOf(asset, `token-fees:${token.token}`)
  const total = sumOf(await tables.ledger({ account: from }))
  const entries = [
    { account: from, amount: -total },
    { account: accountOf(asset, `wallet:${event.receiver}`), amount: event.amount },
    { account: accountOf(asset, `platform-fees:${token.chainId}`), amount: total - event.amount },
  ]
  return post(tables, { key: `token-fee:${seq}`, of: { ...event, chainId: token.chainId }, entries })
}

type PaidPlatformFees = { seq: number; event: FeeEvent; chain: Pick<Chain, 'chainId' | 'addresses'> }

/** Posts the payment of the platform's share of the fees in one asset. `event.token` is the address of the asset. */
export const bookPlatformFees = (tables: Tables, { seq, event, chain }: PaidPlatformFees): Promise<boolean> => {
  const asset = event.token === chain.addresses.usdc ? undefined : event.token
  const entries = [
    { account: accountOf(asset, `platform-fees:${chain.chainId}`), amount: -event.amount },
    { account: accountOf(asset, `wallet:${event.receiver}`), amount: event.amount },
  ]
  return post(tables, { key: `token-fee:${seq}`, of: { ...event, chainId: chain.chainId }, entries })
}

const sumOf = (rows: readonly { amount: Atomic }[]) => rows.reduce((sum, it) => sum + it.amount, 0n)

type Posted = { key: string; of: Pick<MinedTrade, 'chainId' | 'txHash'>; entries: LedgerEntry[] }

const post = (tables: Tables, { key, of: { chainId, txHash }, entries }: Posted) =>
  tables.post({ key, chainId, jobId: undefined, runId: undefined, txHash, entries })

export const unbookTokens = async (tables: Tables, dropped: { trades: number[]; fees: number[] }): Promise<void> => {
  const keys = [...dropped.fees.map(it => `token-fee:${it}`), ...dropped.trades.map(it => `trade:${it}`)]
  for (const key of keys) {
    const rows = await tables.ledger({ key })
    const [posting] = rows
    if (!posting) continue
    const entries = rows.map(({ account, amount }) => ({ account, amount: -amount }))
    await post(tables, { key: `${key}:reversed`, of: { chainId: posting.chainId, txHash: posting.txHash ?? '0x' }, entries })
  }
}
