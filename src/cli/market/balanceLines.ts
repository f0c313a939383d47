import type { WalletRecord } from '../../records/withdrawal.ts'

export const toBalanceLines = ({ balances }: WalletRecord): string[] =>
  balances.flatMap(({ usdc, chain_id, others }) => [
    `  ${usdc} USDC on chain ${chain_id}`,
    ...others.map(it => `  ${it.amount} ${it.symbol}, which pays for nothing here: market wallet withdraw --asset ${it.symbol}`),
  ])
