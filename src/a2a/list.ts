import { type ListTasksRequest, type ListTasksResponse, type Task, TaskState } from '@a2a-js/sdk'
import { RequestMalformedError } from '@a2a-js/sdk/errors'
import { z } from 'zod'
import { limits } from '../domain/limits.ts'
import type { Caller, Deps } from '../operations/operation.ts'
import type { ListedJob, Run } from '../ports.ts'
import { readArtifacts } from './files.ts'
import { toState, toTask } from './task.ts'

const usualRows = 50
const maxRows = 100

type Row = { run: Run; job: ListedJob | undefined }

/**
 * The caller's tasks, the one that changed last first, of the newest 500. A caller without a token has none to list.
 * @throws RequestMalformedError
 */
export const listTasks = async (asked: ListTasksRequest, deps: Deps, { wallet }: Caller): Promise<ListTasksResponse> => {
  const { store } = deps
  const { pageSize, since, after } = readRequest(asked)
  if (!wallet) return { tasks: [], nextPageToken: '', pageSize, totalSize: 0 }
  const contextId = asked.contextId || undefined
  const runs = await store.changedRuns({ user: wallet, conversationId: contextId, since, limit: limits.pageRows })
  const jobs = await store.listedJobs({ runIds: runs.map(it => it.id), limit: runs.length, offset: 0 })
  const jobOf = new Map(jobs.map(it => [it.runId, it]))
  const rows = runs.map(run => ({ run, job: jobOf.get(run.id) })).filter(isWanted(asked.status))
  const left = after ? rows.filter(it => toCursor(it) < after) : rows
  const page = left.slice(0, pageSize)
  const last = page.at(-1)
  const tasks = await Promise.all(page.map(it => toListed(it, asked, deps)))
  return { tasks, nextPageToken: last && left.length > page.length ? toToken(last) : '', pageSize, totalSize: rows.length }
}

const isWanted =
  (status: TaskState | undefined) =>
  ({ run, job }: Row): boolean =>
    !status || toState(run, job) === status

/** A listed task has the addresses of its files: many tasks with their bytes would be too much for one answer. */
const toListed = async ({ run, job }: Row, asked: ListTasksRequest, deps: Deps): Promise<Task> => {
  const messages = asked.historyLength ? await deps.store.messages(run.conversationId, run.user) : []
  const history = messages.filter(it => it.runId === run.id).slice(-(asked.historyLength ?? 0))
  const artifacts = asked.includeArtifacts ? await readArtifacts(deps, run, { job, inlineBytes: 0 }) : []
  return toTask(run, { job, history, artifacts })
}

/** Sorts like the list: by the time of the last change, then by id. */
const toCursor = ({ run }: Row): string => `${String(run.updatedAt).padStart(15, '0')} ${run.id}`
const toToken = (it: Row): string => Buffer.from(toCursor(it)).toString('base64url')

const readRequest = ({ pageSize = usualRows, pageToken, statusTimestampAfter, status, historyLength = 0 }: ListTasksRequest) => {
  if (!z.number().int().min(1).max(maxRows).safeParse(pageSize).success)
    throw new RequestMalformedError(`pageSize must be between 1 and ${maxRows}.`)
  if (historyLength < 0) throw new RequestMalformedError('historyLength must not be negative.')
  if (status === TaskState.UNRECOGNIZED) throw new RequestMalformedError('There is no such status.')
  const since = statusTimestampAfter ? Date.parse(statusTimestampAfter) : 0
  if (Number.isNaN(since)) throw new RequestMalformedError('statusTimestampAfter must be a time in ISO 8601.')
  const after = pageToken ? Buffer.from(pageToken, 'base64url').toString() : undefined
  if (after !== undefined && !/^\d{15} \S+$/.test(after)) throw new RequestMalformedError('There is no such page.')
  return { pageSize, since, after }
}
