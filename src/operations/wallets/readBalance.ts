import { z } from 'zod'
import { chainOfQuery } from '../../domain/chains/chains.ts'
import { toWallet } from '../../domain/hex.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import { balanceRecord } from '../../records/wallet.ts'
import { chainOf, operation } from '../operation.ts'

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
