import type { Address } from '../domain/hex.ts'
import { limits } from '../domain/limits.ts'
import { fitsGasBudget } from '../domain/money/gasBudget.ts'
import { Problem } from '../domain/problem.ts'
import type { Chain, Tables } from '../ports.ts'

/** Whether the chain is public. The embedded chain has no block explorer, and its gas is free. */
export const isPublic = ({ explorer }: Pick<Chain, 'explorer'>): boolean => explorer !== undefined

type Spender = { wallet: Address; chain: Pick<Chain, 'chainId' | 'explorer'> }
type Reach = Pick<Tables, 'lockKeyMode' | 'gasUse'>

/** Reads the wallet's use of the last 24 hours. It takes a lock until the transaction ends. Undefined where gas is free. */
const lockUse = async (tables: Reach, { wallet, chain }: Spender) => {
  if (!isPublic(chain)) return undefined
  await tables.lockKeyMode(wallet)
  return tables.gasUse(wallet, chain.chainId)
}

/**
 * Checks that a registration fits the daily limits of its wallet.
 * @throws Problem registration-quota, gas-budget-used
 */
export const checkGas = async (tables: Reach, of: Spender): Promise<void> => {
  const used = await lockUse(tables, of)
  if (!used) return
  if (used.registrations >= limits.publicAgentsADay)
    throw new Problem('registration-quota', `A wallet registers ${limits.publicAgentsADay} agents a day on this chain.`)
  if (!fitsGasBudget(used, 'registration')) throw new Problem('gas-budget-used')
}

export const maySpend = async (
  tables: Reach,
  of: Spender,
  action: 'hire' | 'withdrawal' | 'call' | 'launch' | 'trade' | 'approval',
): Promise<boolean> => {
  const used = await lockUse(tables, of)
  return !used || fitsGasBudget(used, action)
}
