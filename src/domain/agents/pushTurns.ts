import type { Address } from '../hex.ts'
import { limits } from '../limits.ts'
import type { AgentId } from './agentId.ts'

/** A call to an agent's own endpoint, due or running. */
export type PushCall = { id: string; agentId: AgentId; owner: Address; isFree: boolean }

type Counts = { ofAgent: Map<string, number>; ofOwner: Map<string, number>; freeOfOwner: Map<string, number>; free: number }

/** Agents and owners that have reached their limit of running calls. */
export const fullyCalled = (calling: readonly PushCall[]): { agents: string[]; owners: string[] } => {
  const { ofAgent, ofOwner } = countCalls(calling)
  return { agents: keysAt(ofAgent, limits.pushesOfAgentAtOnce), owners: keysAt(ofOwner, limits.pushesOfOwnerAtOnce) }
}

/**
 * Picks the next calls: paid jobs before free ones, then jobs of the owner and the agent with the fewest running calls, then
 * the oldest. The limits per agent and owner keep an agent that does not answer from delaying the jobs of others. Free jobs may
 * fill only some of the places, so the others stay for paid jobs.
 */
export const pickPushes = <T extends PushCall>(due: readonly T[], calling: readonly PushCall[], places: number): T[] => {
  const counts = countCalls(calling)
  const waiting = due.filter(it => calling.every(call => call.id !== it.id))
  const picked: T[] = []
  while (picked.length < places) {
    const next = waiting.filter(it => hasRoom(it, counts)).reduce<T | undefined>((best, it) => first(best, it, counts), undefined)
    if (!next) break
    waiting.splice(waiting.indexOf(next), 1)
    picked.push(next)
    countIn(counts, next)
  }
  return picked
}

const first = <T extends PushCall>(best: T | undefined, other: T, counts: Counts): T =>
  best && compare(best, other, counts) <= 0 ? best : other

const compare = (one: PushCall, other: PushCall, { ofAgent, ofOwner }: Counts): number =>
  Number(one.isFree) - Number(other.isFree) ||
  countOf(ofOwner, one.owner) - countOf(ofOwner, other.owner) ||
  countOf(ofAgent, one.agentId) - countOf(ofAgent, other.agentId)

const hasRoom = (call: PushCall, counts: Counts): boolean =>
  countOf(counts.ofAgent, call.agentId) < limits.pushesOfAgentAtOnce &&
  countOf(counts.ofOwner, call.owner) < limits.pushesOfOwnerAtOnce &&
  (!call.isFree || hasFreeRoom(call, counts))

const hasFreeRoom = ({ owner }: PushCall, { free, freeOfOwner }: Counts): boolean =>
  free < limits.freePushesAtOnce && countOf(freeOfOwner, owner) < limits.freePushesOfOwnerAtOnce

const countCalls = (calls: readonly PushCall[]): Counts => {
  const counts: Counts = { ofAgent: new Map(), ofOwner: new Map(), freeOfOwner: new Map(), free: 0 }
  for (const call of calls) countIn(counts, call)
  return counts
}

const countIn = (counts: Counts, { agentId, owner, isFree }: PushCall): void => {
  addOne(counts.ofAgent, agentId)
  addOne(counts.ofOwner, owner)
  if (isFree) addOne(counts.freeOfOwner, owner)
  if (isFree) counts.free += 1
}

const addOne = (counts: Map<string, number>, key: string): void => void counts.set(key, countOf(counts, key) + 1)

const countOf = (counts: ReadonlyMap<string, number>, key: string): number => counts.get(key) ?? 0

const keysAt = (counts: ReadonlyMap<string, number>, most: number): string[] =>
  [...counts].flatMap(([key, count]) => (count >= most ? [key] : []))
