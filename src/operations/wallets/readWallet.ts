import { z } from 'zod'
import { chainOfQuery } from '../../domain/chains/chains.ts'
import { type Address, toWallet } from '../../domain/hex.ts'
import { type Atomic, formatUsdc, parseUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import type { Chain, HeldAsset, Launchpad } from '../../ports.ts'
import { balanceRecord, walletRecord } from '../../records/withdrawal.ts'
import { chainOf, type Deps, operation, userOf } from '../operation.ts'
import { waitUntil } from '../waiting.ts'

export const readWallet = operation({
  name: 'readWallet',
  summary: 'The custodial wallet of the caller and its balance on each chain.',
  scope: 'look',
  input: z.object({}),
  output: walletRecord,

  async run(_input, deps, caller) {
    const proxy = await deps.wallets.ensure('user', userOf(caller))
    const balances = [...deps.chains.values()].map(async chain => ({
      chain_id: chain.chainId,
      usdc: formatUsdc(await chain.usdcBalance(proxy), chain.usdcDecimals),
      usdc_address: chain.addresses.usdc,
      escrow_address: chain.addresses.escrow,
      others: await readOthers(chain, proxy),
    }))
    return { ethereum: proxy, balances: await Promise.all(balances) }
  },
})

/** The tokens of the closed list that the wallet holds. They pay for nothing here, and their owner can withdraw them. */
const readOthers = async ({ others }: Chain, wallet: Address) => {
  const held = (others?.tokens ?? []).map(async ({ address, symbol, decimals }) => {
    const balance = (await others?.balance(address, wallet)) ?? 0n
    return balance > 0n ? [{ symbol, amount: formatUsdc(balance, decimals), token: address }] : []
  })
  return (await Promise.all(held)).flat()
}

export const readBalance = operation({
  name: 'readBalance',
  summary: 'The balances of an address, read from the chain; USDC as decimal text.',
  caller: 'anyone',
  input: z.object({ address: z.string().max(60), chain_id: chainOfQuery }),
  output: balanceRecord,

  async run({ address, chain_id }, deps) {
    const wallet = toWallet(address)
    if (!wallet) throw new Problem('invalid-input', 'address must be 0x and 40 hex digits.', '/address')
    const chain = chainOf(deps, chain_id)
    const [held, supply] = await Promise.all([chain.usdcBalance(wallet), chain.usdcSupply()])
    const toText = (amount: bigint) => formatUsdc(amount, chain.usdcDecimals)
    return { chain_id, address: wallet, usdc: toText(held), total_supply: toText(supply) }
  },
})

const waitMs = 10_000

/** Creates the custodial wallet of a new user, and in the local world gives it test USDC, once. */
export const welcome = async (user: Address, deps: Deps) => {
  const proxy = await deps.wallets.ensure('user', user)
  if (!deps.settings.local) return
  const gifts = [...deps.chains.values()].flatMap(chain => {
    const amount = parseUsdc(deps.settings.faucet, chain.usdcDecimals)
    const call = amount ? chain.faucet?.(proxy, amount) : undefined
    return call
      ? [{ key: `faucet:${chain.chainId}:${user}`, chainId: chain.chainId, sender: chain.treasury, call, after: undefined }]
      : []
  })
  await deps.store.addIntents(gifts)
  for (const { key } of gifts) {
    const at = { channel: `intent:${key}`, deadline: deps.clock.now() + waitMs }
    await waitUntil(deps, at, async () => ((await deps.store.intent(key))?.state === 'confirmed' ? true : undefined))
  }
}

/**
 * Balance of an asset that a custodial wallet can spend, in atomic units. Of the coin, two top-ups are kept back: they were paid
 * by the treasury for gas.
 */
export const spendable = async (chain: Chain, wallet: Address, asset: HeldAsset): Promise<Atomic> => {
  if (asset === 'usdc') return chain.usdcBalance(wallet)
  if (asset === 'coin') {
    const free = ((await chain.coinBalance?.(wallet)) ?? 0n) - 2n * chain.topUp(wallet).value
    return free > 0n ? free : 0n
  }
  const contract = asset === 'wrapped' ? chain.launchpad?.wrappedCoin : asset
  return contract ? ((await (chain.launchpad ?? chain.others)?.balance(contract, wallet)) ?? 0n) : 0n
}

/**
 * The launchpad of a chain.
 * @throws Problem chain-not-supported, tokens-not-offered
 */
export const launchpadOf = (
  deps: Pick<Deps, 'chains' | 'refusedChains'>,
  chainId: number,
): { chain: Chain; launchpad: Launchpad } => {
  const chain = chainOf(deps, chainId)
  if (!chain.launchpad) throw new Problem('tokens-not-offered')
  return { chain, launchpad: chain.launchpad }
}
