import { fitsGasBudget } from '../domain/gasBudget.ts'
import type { Address } from '../domain/hex.ts'
import { limits } from '../domain/limits.ts'
import { Problem } from '../domain/problem.ts'
import type { Chain, Tables } from '../ports.ts'

/** The embedded chain has no block explorer, and its gas costs nothing. */
export const isPublic = ({ explorer }: Pick<Chain, 'explorer'>): boolean => explorer !== undefined

type Spender = { wallet: Address; chain: Pick<Chain, 'chainId' | 'explorer'> }
type Reach = Pick<Tables, 'holdKeyMode' | 'gasUse'>

/** What the wallet used today; inside a transaction nobody else counts for it until the end. Undefined where gas is free. */
const holdUse = async (tables: Reach, { wallet, chain }: Spender) => {
  if (!isPublic(chain)) return undefined
  await tables.holdKeyMode(wallet)
  return tables.gasUse(wallet, chain.chainId)
}

/** @throws Problem registration-quota, gas-budget-used */
export const checkGas = async (tables: Reach, of: Spender): Promise<void> => {
  const used = await holdUse(tables, of)
  if (!used) return
  if (used.registrations >= limits.publicAgentsADay)
    throw new Problem('registration-quota', `A wallet registers ${limits.publicAgentsADay} agents a day on this chain.`)
  if (!fitsGasBudget(used, 'registration')) throw new Problem('gas-budget-used')
}

/** Whether the treasury pays the gas of one more hire or withdrawal of the wallet today. */
export const maySpend = async (tables: Reach, of: Spender, action: 'hire' | 'withdrawal' | 'call'): Promise<boolean> => {
  const used = await holdUse(tables, of)
  return !used || fitsGasBudget(used, action)
}
