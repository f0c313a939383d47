import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { withdrawalRecord } from '../../records/withdrawal.ts'
import { operation, userOf } from '../operation.ts'
import { toWithdrawalRecord } from './withdrawalRecord.ts'

export const listWithdrawals = operation({
  name: 'listWithdrawals',
  summary: 'Your withdrawals, newest first.',
  scope: 'look',
  input: z.object({}),
  output: z.object({ withdrawals: z.array(withdrawalRecord) }),

  async run(_, { store }, caller) {
    const withdrawals = await store.withdrawals({ user: userOf(caller), limit: limits.pageRows })
    return { withdrawals: withdrawals.map(toWithdrawalRecord) }
  },
})
