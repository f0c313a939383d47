import { z } from 'zod'
import { operation, userOf } from '../operation.ts'

export const setLearning = operation({
  name: 'setLearning',
  summary:
    'Set whether search may learn from the words of your completed requests (default: yes). ' +
    'Switching it off deletes what was learned from you.',
  scope: 'hire',
  input: z.object({ enabled: z.boolean() }),
  output: z.object({ enabled: z.boolean() }),

  async run({ enabled }, { store }, caller) {
    await store.setLearning(userOf(caller), enabled)
    return { enabled }
  },
})
