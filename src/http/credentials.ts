import { sha256 } from '../domain/json.ts'
import { createBounded } from '../operations/gateway/bounded.ts'
import type { Sent } from './source.ts'

/** Credentials that are remembered, by their hash. */
const most = 50_000

/**
 * Remembers which credentials were valid, and whose. It decides only in whose line a request waits: every credential is verified
 * again with each request. A credential that nobody has verified counts as none, because strangers can send any.
 */
export const createCredentials = () => {
  const holders = createBounded<string>(most)
  const keyOf = ({ req }: Sent): string | undefined => {
    const sent = req.header('authorization') ?? req.header('x-agent-secret')
    return sent === undefined ? undefined : sha256(sent)
  }
  return {
    /** Whether a request has a credential, valid or not. */
    isClaimed: (c: Sent): boolean => keyOf(c) !== undefined,
    holderOf: (c: Sent): string | undefined => {
      const key = keyOf(c)
      return key === undefined ? undefined : holders.get(key)
    },
    /** @param holder the wallet or the agent; undefined when the credential is not valid */
    note: (c: Sent, holder: string | undefined): void => {
      const key = keyOf(c)
      if (key !== undefined && holder !== undefined) holders.set(key, holder)
      else if (key !== undefined) holders.delete(key)
    },
  }
}
export type Credentials = ReturnType<typeof createCredentials>
