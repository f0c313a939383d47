import { z } from 'zod'
import { minuteMs } from '../../domain/durations.ts'
import type { Json } from '../../domain/json.ts'
import { jsonText } from '../../ports/rows/columns.ts'
import { outboxRow } from '../../ports/rows/effects.ts'
import type { Tx } from '../engine/db.ts'
import { insertion, placesOf, rowOf } from '../engine/rows.ts'
import { tableGroup } from '../engine/tableGroup.ts'

const outbox = rowOf(outboxRow)

/** Longest lease of any worker, in ms. A lease that ends later was written before the clock was set back. */
const longestHoldMs = minuteMs

// Due rows: not leased by a worker that may still be alive. Index changes are never due, because every process follows them.
const claim = `with due as materialized (
    select seq from outbox where topic = $1 and done_at is null and (held_until is null or held_until < {NOW}
    or held_until > {NOW} + ${longestHoldMs})
    order by seq limit $3 {SKIP}
  ) update outbox set attempts = attempts + 1, held_until = {NOW} + $2 where seq in (select seq from due)
  returning seq, ${outbox.columns}`

const indexChange = rowOf({ key: z.string(), payload: jsonText(z.object({ agentKey: z.string() })), mark: z.number() })

export const outboxTable = tableGroup(({ read, run, aside, write }) => ({
  addOutbox: (topic, key, payload) => write(tx => addRow(tx, { topic, key, payload })),

  claimOutbox: async (topic, leaseMs, limit) => {
    const rows = await run(claim, [topic, leaseMs, limit])
    return aside.sound(
      'outbox',
      outbox,
      rows.sort((a, b) => Number(a.seq) - Number(b.seq)),
    )
  },

  doneOutbox: async (topic, keys) =>
    void (await run(`delete from outbox where topic = $1 and key in (${placesOf(keys, 2) || 'null'})`, [topic, ...keys])),

  addIndexChange: (agentKey, key) => write(tx => addIndexChange(tx, agentKey, key)),

  async indexHorizon() {
    const [row] = await read('select {HORIZON} as horizon')
    return horizon.parse(row).horizon
  },

  async indexChanges(since) {
    // One statement, so that horizon and rows belong to one snapshot.
    const rows = await read(
      `select seen.horizon, ${indexChange.columns} from (select {HORIZON} as horizon) seen
       left join outbox on topic = 'index' and mark >= $1 order by mark`,
      [since],
    )
    const changes = aside.sound(
      'outbox',
      indexChange,
      rows.filter(it => it.mark !== null),
    )
    return {
      horizon: horizon.parse(rows[0]).horizon,
      changes: changes.map(({ key, payload, mark }) => ({ key, mark, agentKey: payload.agentKey })),
    }
  },
}))

const horizon = z.object({ horizon: z.number() })

const addRow = async ({ sql, notify }: Tx, { topic, key, payload }: { topic: string; key: string; payload: Json }) => {
  const [insert, params] = insertion('outbox', { topic, key, payload: JSON.stringify(payload) }, ['createdAt'])
  const added = await sql(`${insert} on conflict (topic, key) do nothing returning seq`, params)
  if (added.length > 0) notify(`outbox:${topic}`)
}

const requested = `insert into outbox (topic, key, payload, created_at) select 'learn', cast($1 as text), cast($2 as text), {NOW}
  where not exists (select 1 from learned_request where job_id = $1) on conflict (topic, key) do nothing`

/** Queues a settled job for search to learn from. A job is queued once, also if it is settled again after a reorganisation. */
export const requestLearning = (tx: Tx, jobId: string): void => {
  tx.later(requested, [jobId, JSON.stringify({ jobId })])
  tx.notify('outbox:learn')
}

/**
 * Adds a change of an agent's listings, which the search index of every process follows, and locks the agent's row until the
 * transaction ends.
 */
export const requestReindex = async (tx: Tx, agentKey: string): Promise<void> => {
  const [row] = await tx.sql('update agent set revision = revision + 1 where key = $1 returning revision', [agentKey])
  if (!row) throw new RangeError(`no agent ${agentKey}`)
  const revision = Number(row.revision)
  await addIndexChange(tx, agentKey, `${agentKey}:${revision}`)
  // A process that has not seen the earlier change reads the agent at this one.
  await tx.sql(`delete from outbox where topic = 'index' and key = $1`, [`${agentKey}:${revision - 1}`])
}

const addIndexChange = async ({ sql, notify }: Tx, agentKey: string, key: string) => {
  await sql(
    `insert into outbox (topic, key, payload, created_at, done_at, mark) values ('index', $1, $2, {NOW}, {NOW}, {MARK})`,
    [key, JSON.stringify({ agentKey })],
  )
  notify('outbox:index')
}

/** Ends the leases of a process that has ended. */
export const freeOutbox = ({ sql }: Tx) =>
  sql('update outbox set held_until = null where held_until is not null and done_at is null')

/** Requests a new rating of an agent. */
export const requestRating = ({ later, notify }: Tx, agentId: string): void => {
  later('update agent set rating_due = rating_due + 1 where id = $1', [agentId])
  notify('ratings')
}
