import { type Address, toWallet } from '../../domain/hex.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import type { Chain, OtherToken, Store, TokenTransfer, WalletSet } from '../../ports.ts'
import { firstCursor, followBlocks } from '../../workers/followBlocks.ts'
import type { Worker } from '../../workers/loop.ts'
import { isDeposit } from './kinds.ts'
import { type ActivityTables, activityTables, type Movement } from './ports.ts'

type Reach = { store: Store; chain: Chain; read: Required<Chain>['transfers'] }

/** Movements that one statement stores with the cursor. */
const keptAtOnce = 16
/** Blocks with movements that are compared after a reorganisation. */
const comparedBlocks = 256

/**
 * Follows the transfers of USDC from and to custodial wallets, and tells users of deposits, also of other tokens. What it
 * stores follows from the chain alone: after a reorganisation everything above the newest common block is deleted and read
 * again.
 */
export const watchTransfers = ({ store, chain, read }: Reach): Worker => {
  const { chainId } = chain
  const tables = activityTables(store)
  const own = createOwnWallets(tables)
  const step = followBlocks({
    chain,
    skipsEmpty: true,
    cursor: async () => (await tables.transferCursor(chainId)) ?? (await firstCursor({ store, chain })),
    // The wallets are read after the newest block, so a wallet that is made later cannot have been paid in these blocks.
    events: (from, to) => read(own, from, to),
    async apply(transfers, moved) {
      const toOwn = (it: TokenTransfer) => toMovements(it, own, chainId)
      const usdc = transfers.filter(it => !it.token).flatMap(toOwn)
      const others = transfers.flatMap(it => (it.token ? withTexts(toOwn(it), toOtherText(it.token)) : []))
      const tellsNobody = others.length === 0 && !usdc.some(it => isDeposit(it, chain.addresses))
      if (tellsNobody && usdc.length <= keptAtOnce) return tables.keepMovements(chainId, usdc, moved)
      return store.atomically(async within => {
        const added = await activityTables(within).addMovements(chainId, usdc, moved)
        if (!added) return false
        for (const { movement, text } of [...withTexts(added, toDepositText(chain.usdcDecimals)), ...others]) {
          if (!isDeposit(movement, chain.addresses)) continue
          const { role, owner } = (await within.walletByAddress(movement.wallet)) ?? {}
          const wallet = role === 'user' ? toWallet(owner ?? '') : undefined
          if (wallet) await within.addAccountEvent({ wallet, kind: 'deposit', text })
        }
        return true
      })
    },
    visited: () => tables.movementBlocks(chainId, comparedBlocks),
    retract: (to, { from }) => tables.dropMovements(chainId, { from, to }),
  })
  return { name: `watchTransfers ${chainId}`, channel: 'blocks', idleMs: 250, runOnce: step }
}

/** The wallets of this service. Where a node cannot be asked for all of them, only those that transfers name are read. */
const createOwnWallets = (tables: ActivityTables): WalletSet & { has(wallet: Address): boolean } => {
  let found = new Set<Address>()
  let areMany = false
  return {
    has: wallet => found.has(wallet),
    async upTo(limit) {
      // No wallet is ever removed, so this stays true.
      const first = areMany ? [] : await tables.firstWallets(limit + 1)
      areMany ||= first.length > limit
      found = new Set(first)
      return areMany ? undefined : first
    },
    async among(accounts) {
      if (areMany) found = new Set(await tables.walletsAmong(accounts))
      return accounts.filter(it => found.has(it))
    },
  }
}

/**
 * A transfer as each of our wallets in it sees it. One of nothing moves no money: strangers send such ones so that their address
 * stands in a history (address poisoning).
 */
const toMovements = (
  { from, to, amount, token: _token, ...mined }: TokenTransfer,
  own: { has(wallet: Address): boolean },
  chainId: number,
): Movement[] => {
  if (amount === 0n || from === to) return []
  const paid: Movement = { ...mined, chainId, wallet: from, other: to, amount: -amount }
  const received: Movement = { ...mined, chainId, wallet: to, other: from, amount }
  return [paid, received].filter(it => own.has(it.wallet))
}

type ToText = (of: Movement) => string
const withTexts = (movements: Movement[], toText: ToText) => movements.map(movement => ({ movement, text: toText(movement) }))

const toArrival = ({ amount, other, chainId }: Movement, { symbol, decimals }: Omit<OtherToken, 'address'>): string =>
  `${formatUsdc(amount, decimals)} ${symbol} arrived on chain ${chainId} from ${other}.`

const toDepositText =
  (decimals: number): ToText =>
  it =>
    `${toArrival(it, { symbol: 'USDC', decimals })} It is in your balance.`

const toOtherText =
  (token: OtherToken): ToText =>
  it =>
    `${toArrival(it, token)} Jobs are paid with USDC only, so it is not in your balance. You can withdraw it under Account.`
