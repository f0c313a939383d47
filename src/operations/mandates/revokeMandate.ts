import { z } from 'zod'
import { Problem } from '../../domain/problem.ts'
import { operation, userOf } from '../operation.ts'
import { mandateRecord, toMandateRecord } from './mandateRecord.ts'

export const revokeMandate = operation({
  name: 'revokeMandate',
  summary: 'End a mandate: no hire goes under it from the answer on. Jobs that were hired go on.',
  caller: 'user',
  input: z.object({ mandate_id: z.string().max(100) }),
  output: mandateRecord,

  async run({ mandate_id }, { store, clock }, caller) {
    const revoked = await store.revokeMandate(mandate_id, userOf(caller))
    if (!revoked) throw new Problem('mandate-not-found')
    return toMandateRecord(revoked, clock.now())
  },
})
