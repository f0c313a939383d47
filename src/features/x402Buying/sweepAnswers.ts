import { minuteMs } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import type { Deps } from '../../operations/operation.ts'
import type { Worker } from '../../workers/loop.ts'
import { purchasesOf } from './ports.ts'

export const sweepAnswers = ({ store }: Pick<Deps, 'store'>): Worker => ({
  name: 'sweepAnswers',
  channel: 'deadlines',
  idleMs: minuteMs,
  runOnce: () => purchasesOf(store).sweepAnswers(limits.resourceKeepMs),
})
