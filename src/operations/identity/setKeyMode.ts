import { z } from 'zod'
import { operation, userOf } from '../operation.ts'

/** A wallet without a fresh proof cannot reopen key mode, because its token may come from a bare signature that others saw. */
export const setKeyMode = operation({
  name: 'setKeyMode',
  summary: 'Say whether the bare signature of the fixed texts is taken for your wallet (default: no longer, once you signed in).',
  caller: 'user',
  input: z.object({ allowed: z.boolean() }),
  output: z.object({ allowed: z.boolean() }),

  async run({ allowed }, { store }, caller) {
    const wallet = userOf(caller)
    const isFresh = (await store.keyMode(wallet)) === 'fresh'
    if (!allowed || !isFresh) await store.setKeyMode(wallet, allowed ? 'open' : 'closed')
    return { allowed }
  },
})
