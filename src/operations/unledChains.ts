import { secondMs } from '../domain/durations.ts'
import type { Clock, Elections } from '../ports.ts'

/** A chain without a leader for this long in ms waits for no election any more: a failover takes five seconds. */
const electionMs = 15 * secondMs

/** Remembers since when this process has seen no leader of a chain: nothing is sent there, and its events are not read. */
export const createUnledChains = ({ leaders, clock }: Pick<Elections, 'leaders'> & { clock: Clock }) => {
  const unledSince = new Map<number, number>()
  /** Those of the chains that no process has led for longer than an election takes. */
  return async (chainIds: Iterable<number>): Promise<number[]> => {
    const led = new Set((await leaders()).map(it => it.key))
    const now = clock.now()
    return [...chainIds].filter(it => {
      const since = led.has(it) ? undefined : (unledSince.get(it) ?? now)
      if (since === undefined) unledSince.delete(it)
      else unledSince.set(it, since)
      return since !== undefined && now - since >= electionMs
    })
  }
}
