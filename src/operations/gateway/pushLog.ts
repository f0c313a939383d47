import { limits } from '../../domain/limits.ts'
import type { Clock, Pushed, PushLog } from '../../ports.ts'
import { createBounded } from './bounded.ts'

/** Creates the record of the last push to each agent, kept in memory. */
export const createPushLog = ({ clock }: { clock: Clock }): PushLog => {
  const last = createBounded<Pushed>(limits.presences)
  return {
    note: (id, error = '') => last.set(id, { at: clock.now(), error }),
    get: id => last.get(id),
  }
}
