import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { mandateRecord } from '../../records/mandate.ts'
import { operation, userOf } from '../operation.ts'
import { toMandateRecord } from './mandateRecord.ts'

export const listMandates = operation({
  name: 'listMandates',
  summary: 'Your mandates, newest first: the limits within which the butler hires without asking, and what is left.',
  scope: 'look',
  input: z.object({}),
  output: z.object({ mandates: z.array(mandateRecord) }),

  async run(_, { store, clock }, caller) {
    const mandates = await store.mandates({ user: userOf(caller), limit: limits.pageRows })
    return { mandates: mandates.map(it => toMandateRecord(it, clock.now())) }
  },
})
