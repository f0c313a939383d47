import { next } from '../../../../src/domain/jobs/job.ts'
import { limits } from '../../../../src/domain/limits.ts'
import type { Job, Tables } from '../../../../src/ports.ts'
import type { Hands, Mutation, Parts } from '../mutation.ts'
import { withTables } from './withTables.ts'

const moveUnconditionally = async (
  { store }: Parts,
  { db }: Hands,
  { before, event, patch }: { before: Job; event: Parameters<Tables['moveJob']>[1]; patch: Parameters<Tables['moveJob']>[2] },
) => {
  const to = next(before.state, event)
  if (!to) return undefined
  const set = 'update job set state = $2, deliverable = coalesce($3, deliverable), lease_until = null where id = $1'
  await db.tx(sql => sql(set, [before.id, to, patch?.deliverable]))
  const data = { job_id: before.id, from: before.state, event, to, attempt: before.attempt }
  await store.addRunEvent(before.runId, { kind: `job.${to}`, summary: to, data })
  await store.wakeRun(before.runId)
  return store.job(before.id)
}

/** Bugs in moving jobs and runs. */
export const moving: Mutation[] = [
  {
    name: 'a job is read, then moved',
    without: 'the condition in the write',
    focus: [16, 46],
    parts: (parts, hands) => ({
      ...parts,
      store: {
        ...parts.store,
        async moveJob(id, event, patch) {
          const before = await parts.store.job(id)
          if (!before || (event === 'submit' && before.attempt === 0)) return undefined
          if (hands.random.chance(0.3)) await hands.pause()
          return moveUnconditionally(parts, hands, { before, event, patch })
        },
      },
    }),
  },
  {
    name: 'a deliverable is taken at any time',
    without: 'the state in the condition of submit',
    focus: [],
    parts: ({ store, chain }, { db }) => ({
      chain,
      store: {
        ...store,
        async moveJob(id, event, patch) {
          const moved = await store.moveJob(id, event, patch)
          if (moved || event !== 'submit') return moved
          await db.tx(sql => sql('update job set deliverable = $2 where id = $1', [id, patch?.deliverable]))
          return store.job(id)
        },
      },
    }),
  },
  {
    name: 'a job is given to whoever asks',
    without: 'the lease',
    focus: [46],
    parts: ({ store, chain }, { db }) => ({
      chain,
      store: {
        ...store,
        async leaseJob(agentId) {
          const leased = await store.leaseJob(agentId)
          if (leased) return leased
          const [out] = await db.sql(`select id from job where agent_id = $1 and state = 'leased' limit 1`, [agentId])
          return out ? store.job(String(out.id)) : undefined
        },
      },
    }),
  },
  {
    name: 'a dead worker keeps its run',
    without: 'holds that lapse',
    parts: ({ store, chain }, { db }) => ({
      chain,
      store: {
        ...store,
        async claimRuns(leaseMs, limit) {
          const held = await db.sql('select id from run where held_until is not null')
          const claimed = await store.claimRuns(leaseMs, limit)
          return claimed.filter(it => !held.some(row => row.id === it.run.id))
        },
      },
    }),
  },
  {
    name: 'a thawed worker goes on writing',
    without: 'the hold in front of each checkpoint, and the way back to a job that the thread lost',
    focus: [7, 60],
    advance: butler => ({ advance: run => butler.advance({ ...run, jobId: undefined }) }),
  },
  {
    name: 'a change of the index is told once, whether or not it was written',
    without: 'the mark that moves after the work',
    focus: [1, 71],
    parts: ({ store, chain }) => {
      const told = new Set<string>()
      return {
        chain,
        store: {
          ...store,
          async indexChanges(since) {
            const { horizon, changes } = await store.indexChanges(since)
            const untold = changes.filter(it => !told.has(it.key))
            for (const { key } of untold) told.add(key)
            return { horizon, changes: untold }
          },
        },
      }
    },
  },
  {
    name: 'the log is told what it knows',
    without: 'the key of an event',
    parts: ({ store, chain }) => ({
      chain,
      store: withTables(store, tables => ({
        addRunEvent: (id, { key: _key, ...event }) => tables.addRunEvent(id, event),
        addRunEvents: (id, events) =>
          tables.addRunEvents(
            id,
            events.map(({ key: _key, ...event }) => event),
          ),
      })),
    }),
  },
  {
    name: 'the first hundred overdue jobs are looked at, whoever serves their chain',
    without: 'the served chain in the list of overdue jobs',
    focus: [79],
    parts: ({ store, chain }, { db }) => ({
      chain,
      store: {
        ...store,
        async overdueJobs(chainId, page) {
          const first = await db.sql(
            `select id, chain_id from job where (state in ('escrowed', 'queued', 'leased') and submit_by < {NOW})
            or (state = 'queued' and attempt >= $1) order by submit_by, seq limit 100`,
            [limits.attempts],
          )
          const ours = new Set(first.filter(it => Number(it.chain_id) === chainId).map(it => String(it.id)))
          return (await store.overdueJobs(chainId, page)).filter(it => ours.has(it.id))
        },
      },
    }),
  },
]
