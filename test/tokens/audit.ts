import { tokenSupply } from '../../src/domain/tokenCurve.ts'
import type { Deps } from '../../src/operations/operation.ts'

type Audited = Pick<Deps, 'store' | 'chains'>

const sumOf = async ({ store }: Audited, account: string) =>
  (await store.ledger({ account })).reduce((sum, it) => sum + it.amount, 0n)

/**
 * Compares what the database says about agent tokens with their contract: reserve, fees and tokens of every curve, and the
 * tokens of these wallets.
 * @returns what differs, one sentence each
 */
export const auditTokens = async (of: Audited, wallets: string[]): Promise<string[]> => {
  const found: string[] = []
  const compare = (what: string, recorded: bigint, real: bigint) => {
    if (recorded !== real) found.push(`${what}: ${recorded} in the books, ${real} on chain`)
  }
  for (const token of await of.store.tokens({ limit: 100, offset: 0 })) {
    const launchpad = of.chains.get(token.chainId)?.launchpad
    const curve = await launchpad?.curve(token.token)
    if (!launchpad || !curve) throw new Error(`${token.symbol} has no curve`)
    const before = token.reserveKind === 'usdc' ? '' : `${launchpad.wrappedCoin}/`
    compare(`reserve of ${token.symbol}`, await sumOf(of, `${before}curve:${token.token}`), curve.reserve)
    compare(`fees of ${token.symbol}`, await sumOf(of, `${before}token-fees:${token.token}`), curve.fees)
    compare(`tokens of ${token.symbol}`, (await sumOf(of, `${token.token}/curve`)) + tokenSupply, curve.held)
    const newest = await of.store.newestTrade(token.chainId, token.token)
    compare(`newest state of ${token.symbol}`, newest?.held ?? tokenSupply, curve.held)
    for (const wallet of wallets) {
      const owned = await launchpad.balance(token.token, `0x${wallet.slice(2).toLowerCase()}`)
      compare(`${token.symbol} of ${wallet}`, await sumOf(of, `${token.token}/wallet:${wallet.toLowerCase()}`), owned)
    }
  }
  return found
}
