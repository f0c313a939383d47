import { z } from 'zod'
import { toWallet } from '../../domain/hex.ts'
import { Problem } from '../../domain/problem.ts'
import { resolveAgent } from '../../operations/agents/resolveAgent.ts'
import type { Caller, Deps } from '../../operations/operation.ts'
import type { PostedJob } from './ports.ts'

/** A person of a posted job: a wallet, an agent's id, or any other text. */
export const personId = z.string().min(1).max(200)

/** A canonical form, equal for all spellings of the same person. */
export const toKey = (id: string): string => toWallet(id) ?? id

/** Like `toKey`, but a registered agent, by any form of its name, becomes its owner. */
export const keyOf = async (deps: Pick<Deps, 'store'>, id: string): Promise<string> =>
  toWallet(id) ?? (await resolveAgent(deps, id))?.owner ?? id

/**
 * A caller with a token acts for its own wallet only.
 * @throws Problem wrong-owner
 */
export const checkAuthor = (id: string, { wallet }: Caller, pointer: string): void => {
  const named = toWallet(id)
  if (wallet && named && named !== wallet) throw new Problem('wrong-owner', 'It does not match the wallet of the token.', pointer)
}

/**
 * Only its token may act for a client that proved its wallet.
 * @throws Problem unauthenticated
 */
export const checkProven = ({ isProven, clientKey }: PostedJob, id: string, { wallet }: Caller): void => {
  if (isProven && toKey(id) === clientKey && wallet !== clientKey)
    throw new Problem('unauthenticated', 'The client of this job must send its token.')
}
