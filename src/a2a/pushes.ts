import { randomUUID } from 'node:crypto'
import type { TaskPushNotificationConfig } from '@a2a-js/sdk'
import { PushNotificationNotSupportedError, RequestMalformedError, TaskNotFoundError } from '@a2a-js/sdk/errors'
import { nobody } from '../domain/hex.ts'
import type { Deps, TaskPushes } from '../operations/deps.ts'
import type { Run } from '../ports.ts'

const supported = ({ taskPushes }: Deps): TaskPushes => {
  if (!taskPushes)
    throw new PushNotificationNotSupportedError('Push notifications are not supported: read the task, or subscribe.')
  return taskPushes
}

/** The secrets of a receiver are never shown again. */
const toConfig = (taskId: string, { id, url }: { id: string; url: string }): TaskPushNotificationConfig => ({
  tenant: '',
  id,
  taskId,
  url,
  token: '',
  authentication: undefined,
})

type Keeping = { run: Run; afterSeq: number; version: string; config: TaskPushNotificationConfig }

/** Keeps the address that a task is told to. @throws A2AError, Problem too-many-kept, endpoint-not-allowed */
export const keepPush = async (deps: Deps, { run, afterSeq, version, config }: Keeping): Promise<TaskPushNotificationConfig> => {
  const pushes = supported(deps)
  // The addresses of a person without an account would belong to nobody.
  if (run.user === nobody) throw new PushNotificationNotSupportedError('Push notifications need a token.')
  const { id = '', url, token, authentication } = config
  if (!url) throw new RequestMalformedError('url is required.')
  const { scheme = '', credentials = '' } = authentication ?? {}
  const secret = { token, scheme, credentials }
  const isLong = id.length > 100 || Object.values(secret).some(it => it.length > 2_000 || /[\r\n\0]/.test(it))
  if (isLong) throw new RequestMalformedError('id has at most 100 characters, a token at most 2,000 on one line.')
  const kept = { id: id || randomUUID(), url }
  await pushes.keep({ ...kept, run, afterSeq, secret, version: version === '0.3' ? '0.3' : '1.0' }, deps)
  return toConfig(run.id, kept)
}

export const readPush = async (deps: Deps, run: Run, id: string): Promise<TaskPushNotificationConfig> => {
  const known = await supported(deps).list(run.id, deps)
  // Version 0.3 may leave the id out where there is one.
  const found = id ? known.find(it => it.id === id) : known[0]
  if (!found) throw new TaskNotFoundError('The task has no such push notification configuration.')
  return toConfig(run.id, found)
}

export const listPushes = async (deps: Deps, run: Run): Promise<TaskPushNotificationConfig[]> =>
  (await supported(deps).list(run.id, deps)).map(it => toConfig(run.id, it))

/** Deleting is idempotent (A2A 1.0, 3.1.10). */
export const dropPush = async (deps: Deps, run: Run, id: string): Promise<void> => {
  await supported(deps).drop({ runId: run.id, id }, deps)
}
