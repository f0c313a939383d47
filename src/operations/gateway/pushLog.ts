import { limits } from '../../domain/limits.ts'
import type { Clock, PushLog } from '../../ports.ts'
import { createBounded } from './bounded.ts'

/** In memory only, as signs of life are. */
export const createPushLog = ({ clock }: { clock: Clock }): PushLog => {
  const last = createBounded<{ at: number; error: string }>(limits.presences)
  return {
    note: (id, error = '') => last.set(id, { at: clock.now(), error }),
    get: id => last.get(id),
  }
}
