import type { AgentId } from '../../domain/agentId.ts'
import { limits } from '../../domain/limits.ts'
import type { Clock } from '../../ports.ts'
import { createBounded } from './bounded.ts'

/** The last call of an agent at its own address: when (epoch ms), and why it failed; empty when it was answered. */
export type Pushed = { at: number; error: string }

export type PushLog = ReturnType<typeof createPushLog>

/** In memory only, as signs of life are. */
export const createPushLog = ({ clock }: { clock: Clock }) => {
  const last = createBounded<Pushed>(limits.presences)
  return {
    note: (id: AgentId, error = '') => last.set(id, { at: clock.now(), error }),
    get: (id: AgentId): Pushed | undefined => last.get(id),
  }
}
