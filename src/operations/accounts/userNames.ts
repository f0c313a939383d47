import { z } from 'zod'
import { type Address, toWallet } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { type Caller, userOf } from '../operation.ts'

/** A user in a URL path: `user:0x…`, `0x…` in any case, or other text that matches no user. */
export const userId = z.string().max(200)

export const page = {
  limit: z.coerce.number().int().min(1).default(100).transform(atMostAPage),
  offset: z.coerce.number().int().min(0).default(0),
}

function atMostAPage(rows: number): number {
  return Math.min(rows, limits.pageRows)
}

/**
 * Returns the caller's wallet if the path names the caller. Any other user is reported as not found.
 * @throws Problem unauthenticated, not-found
 */
export const selfNamed = (text: string, caller: Caller): Address => {
  const wallet = userOf(caller)
  if (toWallet(text) !== wallet) throw new Problem('not-found')
  return wallet
}
