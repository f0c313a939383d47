import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { accountEventRecord } from '../../records/accountEvent.ts'
import { operation, userOf } from '../operation.ts'

const mostRows = 100

export const listAccountEvents = operation({
  name: 'listAccountEvents',
  summary: 'What changed in who may use your account, what was withdrawn, and what came in, newest first.',
  scope: 'look',
  input: z.object({ limit: z.coerce.number().int().min(1).max(mostRows).default(20) }),
  output: z.object({ events: z.array(accountEventRecord) }),

  async run({ limit }, { store }, caller) {
    const found = await store.accountEvents({ wallet: userOf(caller), limit })
    return {
      events: found.map(it => ({
        event_id: String(it.seq),
        kind: it.kind,
        text: it.text,
        at: toIso(it.createdAt),
      })),
    }
  },
})
