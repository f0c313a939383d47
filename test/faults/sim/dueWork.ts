import { limits } from '../../../src/domain/limits.ts'
import type { World } from './world.ts'

/** Time in ms after the expiry of its authorization from which a purchase must end. */
export const purchaseMs = 60_000
/**
 * Maximum time in ms for which one piece of work may be due without interruption: the longest lease, which a process may have
 * taken just before it died, and a few blocks.
 */
export const boundMs = limits.purchaseLeaseMs + 30_000

/** Queries for work that is due and not done, by name. `which` identifies it. */
const due: Record<string, string> = {
  'runs to advance': 'select id as which from run where wake_at is not null or held_until is not null',
  'purchases due': `select id as which from purchase where due_at is not null and valid_before * 1000 < ?1 - ${purchaseMs}`,
  'intents under way': `select key as which from intent where state in ('waiting', 'sent')`,
  'outbox rows': 'select seq as which from outbox where done_at is null',
  'leases lapsed': `select id as which from job where state = 'leased' and lease_until < ?1`,
  'jobs overdue': `select id as which from job where state in ('escrowed', 'queued', 'leased') and submit_by < ?1`,
}

/** All work that is due and not done now. */
export const stillDue = ({ books, ground }: World): string[] =>
  Object.entries(due).flatMap(([name, sql]) =>
    books.all(sql, ...(sql.includes('?1') ? [ground.time.now()] : [])).map(it => `${name}: ${it.which}`),
  )

/** Measures each piece of due work by itself, because another one may become due at any time. */
export type DueTimes = {
  /** Returns the longest time in ms for which work was due without interruption, up to now. */
  note(due: string[], now: number): number
}

/** @param startedAt from when the work of the first note counts as due; epoch ms */
export const createDueTimes = (startedAt: number): DueTimes => {
  let since = new Map<string, number>()
  let notedAt = startedAt
  return {
    note(found, now) {
      const waited = [...since.values()].map(from => now - from)
      since = new Map(found.map(it => [it, since.get(it) ?? notedAt]))
      notedAt = now
      return Math.max(0, ...waited)
    },
  }
}
