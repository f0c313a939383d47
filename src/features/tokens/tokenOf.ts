import { toWallet } from '../../domain/hex.ts'
import { Problem } from '../../domain/problem.ts'
import { resolveAgent } from '../../operations/agents/resolveAgent.ts'
import type { Deps } from '../../operations/operation.ts'
import type { LaunchedToken } from '../../ports.ts'
import { tokenTables } from './ports.ts'

/**
 * A token by its address, or by the id or handle of its agent.
 * @throws Problem token-not-found
 */
export const tokenOf = async (deps: Pick<Deps, 'store'>, text: string, chainId: number): Promise<LaunchedToken> => {
  const address = toWallet(text)
  const agent = address ? undefined : await resolveAgent(deps, text, chainId)
  const token = address
    ? await tokenTables(deps.store).token(chainId, address)
    : agent?.id && (await tokenTables(deps.store).tokenOfAgent(agent.id))
  if (!token) throw new Problem('token-not-found')
  return token
}
