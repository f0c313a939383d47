import type { StreamResponse } from '@a2a-js/sdk'
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server'
import { V1PushNotificationSerializer } from '@a2a-js/sdk/server'
import { z } from 'zod'
import { readArtifacts } from '../../a2a/files.ts'
import { isTerminal, toState, toTask } from '../../a2a/task.ts'
import { secondMs } from '../../domain/durations.ts'
import { deliverableFor } from '../../domain/jobs/job.ts'
import { limits } from '../../domain/limits.ts'
import { checkEndpoint } from '../../domain/net/publicAddress.ts'
import { asProblem, Problem } from '../../domain/problem.ts'
import type { Deps, PushSecret, TaskPushes } from '../../operations/deps.ts'
import { createCrew } from '../../workers/crew.ts'
import type { Worker } from '../../workers/loop.ts'
import { type TaskPush, taskPushTables } from './ports.ts'

/** Pushes under way at once, in all and for one user, because a receiver may answer slowly. */
const [atOnce, atOnceOfUser] = [16, 4]
/** Due rows that are read at once, from which the next ones are chosen. */
const pageRows = 500
/** Attempts at one push, with a pause that doubles. */
const mostTries = 6
const pauseMs = 5 * secondMs

const pushSecret = z.object({ token: z.string(), scheme: z.string(), credentials: z.string() })
const serializers = { '1.0': new V1PushNotificationSerializer(), '0.3': new V03PushNotificationSerializer() }

/** Tells the addresses of tasks that their task waits for its user or has ended. After its end an address is forgotten. */
export const sendTaskPushes = (deps: Deps): Worker => {
  const crew = createCrew<TaskPush>()
  const startIfFree = (due: TaskPush) => {
    const busy = crew.busy()
    if (busy.length >= atOnce || busy.some(it => it.runId === due.runId && it.id === due.id)) return
    if (busy.filter(it => it.wallet === due.wallet).length < atOnceOfUser) crew.start(due, ending => tell(deps, due, ending))
  }
  return {
    name: 'sendTaskPushes',
    channel: 'task-pushes',
    idleMs: secondMs,
    async runOnce() {
      if (crew.busy().length >= atOnce) return false
      for (const it of await taskPushTables(deps.store).dueTaskPushes(pageRows)) startIfFree(it)
      crew.check()
      return false
    },
    settle: crew.settle,
  }
}

const tell = async (deps: Deps, push: TaskPush, ending: AbortSignal): Promise<void> => {
  const { store, resources, sealer } = deps
  const tables = taskPushTables(store)
  const run = await store.run(push.runId)
  if (!run || !sealer) return void (await tables.dropTaskPush(push))
  const job = run.jobId ? await store.job(run.jobId) : undefined
  // A deliverable is accepted before its payment is seen. The end is told with it.
  if (job?.deliverable !== undefined && deliverableFor(job) === undefined && isTerminal(toState(run, job))) return
  const secret = pushSecret.parse(JSON.parse(sealer.open(push.sealed, toPurpose(push))))
  const task = toTask(run, { job, artifacts: await readArtifacts(deps, run, { job }) })
  const response: StreamResponse = { payload: { $case: 'task', value: task } }
  const { body, contentType } = serializers[push.version].serialize(response, task)
  const signal = AbortSignal.any([ending, AbortSignal.timeout(limits.probeMs)])
  const headers = { 'content-type': contentType, ...toHeaders(secret) }
  const status = await resources.ask({ url: push.url, method: 'POST', body }, signal, headers).then(
    it => it.status,
    // A host that resolves to a private address now is never called again.
    (error: unknown) => (asProblem(error).type === 'endpoint-not-allowed' ? 410 : 503),
  )
  if (ending.aborted) return
  const isTaken = status >= 200 && status < 300
  if (status === 410 || (isTaken && isTerminal(toState(run, job)))) await tables.dropTaskPush(push)
  else if (isTaken || push.tries + 1 >= mostTries) await tables.taskTold(push, run.lastSeq)
  else await tables.postponeTaskPush(push, pauseMs * 2 ** push.tries)
}

/** As the stock kit sends them. */
const toHeaders = ({ token, scheme, credentials }: PushSecret): Record<string, string> => {
  if (scheme && credentials) return { authorization: `${scheme} ${credentials}` }
  return token ? { 'x-a2a-notification-token': token } : {}
}

const most = { ofTask: limits.taskPushes, ofWallet: limits.taskPushesOfUser, ofAll: limits.taskPushesOfAll }

/** What a secret of a receiver is sealed for, so that a row cannot be read in the place of another one. */
const toPurpose = ({ runId, id }: { runId: string; id: string }): string => `task-push:${runId}:${id}`

/** What the butler's A2A endpoint does with the addresses that a task is told to. */
export const taskPushes: TaskPushes = {
  async keep({ run, afterSeq, secret, ...of }, { store, sealer, settings }) {
    if (!sealer) throw new RangeError('a process that serves requests has a sealer')
    const { allowsPrivate } = settings
    const url = checkEndpoint(of.url, { allowsPrivate, member: 'url' })
    if (url.protocol !== 'https:' && !allowsPrivate)
      throw new Problem('endpoint-not-allowed', 'url must begin with https://.', '/url')
    const sealed = sealer.seal(JSON.stringify(secret), toPurpose({ runId: run.id, id: of.id }))
    const push = { ...of, runId: run.id, wallet: run.user, url: url.href, sealed, toldSeq: afterSeq }
    if (!(await taskPushTables(store).keepTaskPush(push, most))) throw new Problem('too-many-kept')
  },

  list: async (runId, { store }) => (await taskPushTables(store).taskPushesOf(runId)).map(({ id, url }) => ({ id, url })),

  drop: (key, { store }) => taskPushTables(store).dropTaskPush(key),
}
