import { z } from 'zod'
import { type Address, toWallet } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { type Caller, operation, userOf } from '../operation.ts'

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

const user = z.object({ user_id: z.string(), wallet_address: z.string() })

export const listUsers = operation({
  name: 'listUsers',
  summary: 'The accounts that the caller may read: only its own.',
  caller: 'anyone',
  input: z.object(page),
  output: z.object({ users: z.array(user), total: z.number(), limit: z.number(), offset: z.number() }),

  async run({ limit, offset }, _deps, { wallet }) {
    const own = wallet ? [{ user_id: `user:${wallet}`, wallet_address: wallet }] : []
    return { users: own.slice(offset, offset + limit), total: own.length, limit, offset }
  },
})

/** A wallet is an account from its first signature on, so nothing is stored here. An address without proof is not an account. */
export const registerUser = operation({
  name: 'registerUser',
  summary: 'The account of a wallet. A wallet needs no registration; it only signs in.',
  caller: 'anyone',
  input: z.object({ wallet_address: z.string().max(200) }).loose(),
  output: user,

  async run({ wallet_address }) {
    const wallet = toWallet(wallet_address)
    if (!wallet) throw new Problem('invalid-input', 'wallet_address is not a wallet address.', '/wallet_address')
    return { user_id: `user:${wallet}`, wallet_address: wallet }
  },
})

export const refuseKey = operation({
  name: 'registerUserWithKey',
  summary: 'Refused: a private key never leaves its owner.',
  caller: 'anyone',
  input: z.looseObject({}),
  output: user,

  run: () => Promise.reject(new Problem('key-refused', 'Keep the private key. Sign in with the wallet: POST /v1/init.')),
})
