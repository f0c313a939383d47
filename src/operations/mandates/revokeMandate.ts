import { z } from 'zod'
import { Problem } from '../../domain/problem.ts'
import { mandateRecord } from '../../records/mandate.ts'
import { operation, userOf } from '../operation.ts'
import { toMandateRecord } from './mandateRecord.ts'

export const revokeMandate = operation({
  name: 'revokeMandate',
  summary: 'Revoke a mandate. From now on it allows no further hires; running jobs continue.',
  scope: 'hire',
  input: z.object({ mandate_id: z.string().max(100) }),
  output: mandateRecord,

  async run({ mandate_id }, { store, clock }, caller) {
    const revoked = await store.revokeMandate(mandate_id, userOf(caller))
    if (!revoked) throw new Problem('mandate-not-found')
    return toMandateRecord(revoked, clock.now())
  },
})
