import { z } from 'zod'
import type { Address } from '../../domain/hex.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import type { Chain } from '../../ports.ts'
import { walletRecord } from '../../records/wallet.ts'
import { operation, userOf } from '../operation.ts'

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
