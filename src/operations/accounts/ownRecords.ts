import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { addPruned, nothingPruned, type Pruned, prunedAny } from '../../domain/operator/retention.ts'
import type { Run } from '../../ports.ts'
import { accountEventRecord, deletedRecords, ownRecords } from '../../records/ownRecords.ts'
import { runRecord } from '../../records/run.ts'
import { type Deps, operation, userOf } from '../operation.ts'
import { toEventRecord } from '../runs/readRun.ts'
import { readRunRecord, toRunRecord } from '../runs/runRecord.ts'
import { page, selfNamed, userId } from './users.ts'

/** Runs of one page. Each may have a result of 256 KiB. */
const mostRuns = 20

export const exportOwn = operation({
  name: 'exportOwnRecords',
  summary: 'A copy of all that this service keeps about you, page by page: conversations with their results, marks, links.',
  input: z.object({
    limit: z.coerce.number().int().min(1).max(mostRuns).default(mostRuns),
    offset: z.coerce.number().int().min(0).default(0).describe('`next` of the page before'),
  }),
  output: ownRecords,

  async run({ limit, offset }, deps, caller) {
    const wallet = userOf(caller)
    const found = await deps.store.runs({ user: wallet, limit: limit + 1, offset })
    const runs = await Promise.all(found.slice(0, limit).map(it => copyRun(deps, it)))
    const parts = offset > 0 ? [] : (deps.personal ?? [])
    const kept = await Promise.all(parts.map(async it => [it.name, await it.read(deps.store, wallet)] as const))
    return { wallet, runs, kept: Object.fromEntries(kept), next: found.length > limit ? offset + limit : null }
  },
})

const copyRun = async (deps: Deps, run: Run) => ({
  ...(await readRunRecord(deps, run)),
  events: (await deps.store.runEvents(run.id, 0, limits.pageRows)).map(toEventRecord),
})

const stays = [
  'What the chain shows: payments, refunds and transfers of your wallet. Nobody can delete those.',
  'The amounts, agents and dates of your hires, because the books of the service must add up.',
  'Your wallet, its key and your passkeys, because they open your money.',
  'Your spending limits and connected programs. End them under Account.',
  'Agents and offerings that you published. Retire them under Account.',
]

export const deleteOwn = operation({
  name: 'deleteOwnRecords',
  summary:
    'Delete what this service keeps about you, except what money and open jobs need. It says what stays. There is no way back.',
  asksPasskey: true,
  input: z.object({ confirm: z.literal('delete my data').describe('These words, so that nobody deletes by mistake') }),
  output: deletedRecords,

  async run(_input, { store, files, personal = [] }, caller) {
    const wallet = userOf(caller)
    for (const it of personal) await it.forget(store, wallet)
    let pruned: Pruned = nothingPruned
    for (let step = await store.pruneRuns(0, wallet); prunedAny(step); step = await store.pruneRuns(0, wallet))
      pruned = addPruned(pruned, step)
    for (const { id } of await store.files({ owner: wallet, before: undefined, limit: limits.filesOfUser }))
      if (await store.removeFile(id)) await files.remove([id])
    const open = await store.countUnpruned(wallet)
    return { deleted_runs: pruned.deleted, emptied_runs: pruned.emptied, open_runs: open, stays }
  },
})

const mostRows = 100

export const listAccountEvents = operation({
  name: 'listAccountEvents',
  summary: 'What changed in who may use your account, what was withdrawn, and what came in, newest first.',
  scope: 'look',
  input: z.object({ limit: z.coerce.number().int().min(1).max(mostRows).default(20) }),
  output: z.object({ events: z.array(accountEventRecord) }),

  async run({ limit }, { store }, caller) {
    const found = await store.accountEvents({ wallet: userOf(caller), limit })
    return {
      events: found.map(it => ({
        event_id: String(it.seq),
        kind: it.kind,
        text: it.text,
        at: toIso(it.createdAt),
      })),
    }
  },
})

const status = z.enum(['pending', 'running', 'completed', 'failed'])

export const listUserRuns = operation({
  name: 'listUserRuns',
  summary: "The caller's runs, newest first. Long deliverables are left out; read the run.",
  scope: 'look',
  input: z.object({ user_id: userId, ...page }),
  output: z.object({
    runs: z.array(runRecord.extend({ status })),
    total: z.number(),
    limit: z.number(),
    offset: z.number(),
  }),

  async run({ user_id, limit, offset }, { store }, caller) {
    const user = selfNamed(user_id, caller)
    const runs = await store.runs({ user, limit, offset })
    const jobs = await store.listedJobs({ runIds: runs.map(it => it.id), limit: runs.length, offset: 0 })
    const jobByRun = new Map(jobs.map(it => [it.runId, it]))
    const records = runs.map(run => ({ ...toRunRecord(run, jobByRun.get(run.id)), status: statusOf(run) }))
    return { runs: records, total: await store.countRuns(user), limit, offset }
  },
})

/** Maps the state of a run to the four statuses of existing clients. A run that waits for its user or for a job is pending. */
const statusOf = ({ state }: Run): z.infer<typeof status> => {
  if (state === 'working') return 'running'
  return state === 'completed' || state === 'failed' ? state : 'pending'
}
