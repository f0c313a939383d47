import { type Artifact, type Message, type Part, Role, type Task, TaskState, type TaskStatus } from '@a2a-js/sdk'
import { toIso } from '../domain/durations.ts'
import { nobody } from '../domain/hex.ts'
import { deliverableFor } from '../domain/jobs/job.ts'
import { isObject, type Json, json, parseJson } from '../domain/json.ts'
import { isPlan } from '../domain/x402/purchaseProposal.ts'
import { isWithdrawn } from '../operations/hires/closeJob.ts'
import { toOpenPlanRecord } from '../operations/runs/planRecord.ts'
import { toRunRecord } from '../operations/runs/runRecord.ts'
import type { ListedJob, Run, Message as Said } from '../ports.ts'

const notPaid: ReadonlySet<ListedJob['state']> = new Set(['rejected', 'expired', 'refunded', 'cancelled'])

/** The A2A state of a run. A run without a user cannot agree to a proposal, so it waits for a credential. */
export const toState = (run: Run, job: ListedJob | undefined): TaskState => {
  if (run.state === 'awaiting-confirmation')
    return run.user === nobody ? TaskState.TASK_STATE_AUTH_REQUIRED : TaskState.TASK_STATE_INPUT_REQUIRED
  if (run.state === 'awaiting-input') return TaskState.TASK_STATE_INPUT_REQUIRED
  if (run.state === 'working' || run.state === 'awaiting-job') return TaskState.TASK_STATE_WORKING
  if (job ? isWithdrawn(job) : run.act === 'no') return TaskState.TASK_STATE_CANCELED
  if (run.state === 'failed' || (job && notPaid.has(job.state))) return TaskState.TASK_STATE_FAILED
  return TaskState.TASK_STATE_COMPLETED
}

export const isTerminal = (state: TaskState): boolean =>
  [TaskState.TASK_STATE_COMPLETED, TaskState.TASK_STATE_CANCELED, TaskState.TASK_STATE_FAILED].includes(state)

const part = (content: Part['content'], mediaType: string): Part => ({ content, mediaType, metadata: undefined, filename: '' })
export const toTextPart = (text: string): Part => part({ $case: 'text', value: text }, 'text/plain')
const toDataPart = (value: Json): Part => part({ $case: 'data', value }, 'application/json')

type Place = { run: Pick<Run, 'id' | 'conversationId'>; id: string; role: Role }

export const toMessage = ({ run, id, role }: Place, parts: Part[]): Message => ({
  messageId: id,
  contextId: run.conversationId,
  taskId: run.id,
  role,
  parts,
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
})

/** What the run waits for, as data beside its words: the proposal or plan with its digest, the questions, or the choices. */
const dataOf = (run: Run): Part[] => {
  const { proposal, purchase, questions, choices, unplanned } = toRunRecord(run, undefined)
  const plan =
    run.state === 'awaiting-confirmation' && isPlan(run.proposal) ? toOpenPlanRecord(run.proposal, run.updatedAt) : undefined
  const data = {
    ...(proposal && { proposal }),
    ...(purchase && { purchase }),
    ...(plan && { plan: json.parse(plan) }),
    ...(unplanned && { unplanned }),
    ...(questions && { questions }),
    ...(choices && { choices }),
  }
  return Object.keys(data).length > 0 ? [toDataPart(data)] : []
}

export const toStatus = (run: Run, job: ListedJob | undefined): TaskStatus => {
  const parts = [...(run.answer ? [toTextPart(run.answer)] : []), ...dataOf(run)]
  const place = { run, id: `${run.id}-status`, role: Role.ROLE_AGENT }
  return {
    state: toState(run, job),
    message: parts.length > 0 ? toMessage(place, parts) : undefined,
    timestamp: toIso(run.updatedAt),
  }
}

/** The deliverable of a job that its user may read, without its files: as data when it is a JSON object, else as text. */
export const toArtifact = (job: ListedJob): Artifact | undefined => {
  const text = deliverableFor(job)
  if (text === undefined) return undefined
  const value = parseJson(text)
  const parts = [isObject(value) ? toDataPart(value) : toTextPart(text)]
  const { offeringName, agentHandle } = job.terms
  const description = `Deliverable of ${agentHandle}`
  return { artifactId: job.id, name: offeringName, description, parts, metadata: undefined, extensions: [] }
}

type More = { job: ListedJob | undefined; history?: Said[]; artifacts?: Artifact[] }

export const toTask = (run: Run, { job, history = [], artifacts = [] }: More): Task => ({
  id: run.id,
  contextId: run.conversationId,
  status: toStatus(run, job),
  artifacts,
  history: history.map(({ role, content }, at) =>
    toMessage({ run, id: `${run.id}-${at + 1}`, role: role === 'user' ? Role.ROLE_USER : Role.ROLE_AGENT }, [
      toTextPart(content),
    ]),
  ),
  metadata: undefined,
})
