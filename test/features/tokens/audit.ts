import type { Address } from '../../../src/domain/hex.ts'
import { tokenSupply } from '../../../src/domain/tokens/tokenCurve.ts'
import { tokenTables } from '../../../src/features/tokens/ports.ts'
import type { Deps } from '../../../src/operations/operation.ts'

type Audited = Pick<Deps, 'store' | 'chains'>

const sumOf = async ({ store }: Audited, account: string) =>
  (await store.ledger({ account })).reduce((sum, it) => sum + it.amount, 0n)

/**
 * Compares what the database says about agent tokens with their contract: reserve, fees and tokens of every curve, the assets of
 * the launchpad, and the tokens of these wallets.
 * @returns what differs, one sentence each
 */
export const auditTokens = async (of: Audited, wallets: string[]): Promise<string[]> => {
  const found: string[] = []
  const compare = (what: string, recorded: bigint, real: bigint) => {
    if (recorded !== real) found.push(`${what}: ${recorded} in the books, ${real} on chain`)
  }
  const owed = new Map<Address, bigint>()
  for (const token of await tokenTables(of.store).tokens({ limit: 100, offset: 0 })) {
    const launchpad = of.chains.get(token.chainId)?.launchpad
    const curve = await launchpad?.curve(token.token)
    if (!launchpad || !curve) throw new Error(`${token.symbol} has no curve`)
    const before = token.reserveKind === 'usdc' ? '' : `${launchpad.wrappedCoin}/`
    const asset = token.reserveKind === 'usdc' ? of.chains.get(token.chainId)?.addresses.usdc : launchpad.wrappedCoin
    if (!asset) throw new Error(`${token.symbol} has no asset`)
    const booked = owed.get(asset) ?? (await sumOf(of, `${before}platform-fees:${token.chainId}`))
    owed.set(asset, booked + curve.reserve + curve.fees)
    compare(`reserve of ${token.symbol}`, await sumOf(of, `${before}curve:${token.token}`), curve.reserve)
    compare(`fees of ${token.symbol}`, await sumOf(of, `${before}token-fees:${token.token}`), curve.fees)
    compare(`tokens of ${token.symbol}`, (await sumOf(of, `${token.token}/curve`)) + tokenSupply, curve.held)
    const newest = await tokenTables(of.store).newestTrade(token.chainId, token.token)
    compare(`newest state of ${token.symbol}`, newest?.held ?? tokenSupply, curve.held)
    for (const wallet of wallets) {
      const owned = await launchpad.balance(token.token, `0x${wallet.slice(2).toLowerCase()}`)
      compare(`${token.symbol} of ${wallet}`, await sumOf(of, `${token.token}/wallet:${wallet.toLowerCase()}`), owned)
    }
  }
  for (const { launchpad } of of.chains.values())
    for (const [asset, sum] of owed)
      if (launchpad) compare(`${asset} of the launchpad`, sum, await launchpad.balance(asset, launchpad.address))
  return found
}
