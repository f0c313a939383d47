import { z } from 'zod'
import { operation, userOf } from '../operation.ts'

/** A wallet without a fresh proof cannot reopen key mode, because its token may come from a bare signature that others saw. */
export const setKeyMode = operation({
  name: 'setKeyMode',
  summary:
    'Set whether your wallet may sign in with a bare signature of a fixed text (default: ' +
    'no, once you have signed in with a fresh one).',
  input: z.object({ allowed: z.boolean() }),
  output: z.object({ allowed: z.boolean() }),

  async run({ allowed }, { store }, caller) {
    const wallet = userOf(caller)
    const isFresh = (await store.keyMode(wallet)) === 'fresh'
    if (!allowed || !isFresh) await store.setKeyMode(wallet, allowed ? 'open' : 'closed')
    return { allowed }
  },
})
