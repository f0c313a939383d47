import { z } from 'zod'
import { formatUsdc } from '../../domain/money/money.ts'
import { walletRecord } from '../../records/wallet.ts'
import { operation, userOf } from '../operation.ts'

export const readWallet = operation({
  name: 'readWallet',
  summary: 'The custodial wallet of the caller and its balance on each chain.',
  caller: 'user',
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
    }))
    return { ethereum: proxy, balances: await Promise.all(balances) }
  },
})
