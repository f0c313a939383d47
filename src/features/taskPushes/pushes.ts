import { limits } from '../../domain/limits.ts'
import { checkEndpoint } from '../../domain/net/publicAddress.ts'
import { Problem } from '../../domain/problem.ts'
import type { TaskPushes } from '../../operations/deps.ts'
import { taskPushTables } from './ports.ts'

const most = { ofTask: limits.taskPushes, ofWallet: limits.taskPushesOfUser, ofAll: limits.taskPushesOfAll }

/** What a secret of a receiver is sealed for, so that a row cannot be read in the place of another one. */
export const toPurpose = ({ runId, id }: { runId: string; id: string }): string => `task-push:${runId}:${id}`

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
