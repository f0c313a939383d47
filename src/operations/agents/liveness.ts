import type { AgentId } from '../../domain/agents/agentId.ts'
import { hourMs, minuteMs } from '../../domain/durations.ts'
import { toCounted } from '../../domain/text/counted.ts'
import { type Reach, readReputations } from './reputations.ts'

/** Up to this many hours, the time is given in hours; above it, in days. */
const hoursNamed = 48

const seenAgo = (count: number, unit: string) => `last seen ${toCounted(count, unit)} ago`

/** Describes when an agent was last seen by a poll, a heartbeat or a deliverable. */
export const describeLiveness = async (deps: Reach, agentId: AgentId): Promise<string> => {
  if (deps.gateway.presence.tell(agentId).health_status === 'healthy') return 'online now'
  const { last_seen } = (await readReputations(deps, [agentId]))(agentId)
  if (!last_seen) return neverConnected
  const agoMs = Math.max(0, deps.clock.now() - Date.parse(last_seen))
  if (agoMs < hourMs) return seenAgo(Math.max(1, Math.round(agoMs / minuteMs)), 'minute')
  const hours = Math.round(agoMs / hourMs)
  return hours < hoursNamed ? seenAgo(hours, 'hour') : seenAgo(Math.round(hours / 24), 'day')
}

export const neverConnected = 'has never connected'
