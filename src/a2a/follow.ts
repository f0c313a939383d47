import type { StreamResponse } from '@a2a-js/sdk'
import { Role, TaskState } from '@a2a-js/sdk'
import { toIso } from '../domain/durations.ts'
import type { RunEvent } from '../domain/runs/runEvent.ts'
import type { Deps } from '../operations/operation.ts'
import { isResting } from '../operations/runs/awaitRun.ts'
import { followRun } from '../operations/runs/followRun.ts'
import { waitUntil } from '../operations/waiting.ts'
import type { Run } from '../ports.ts'
import { readArtifacts } from './files.ts'
import { isTerminal, toMessage, toState, toStatus, toTextPart } from './task.ts'

/** Clients close a stream after 600 s. The service ends it shortly before, and the client subscribes again. */
const streamMs = 590_000

type From = { run: Run; afterSeq: number; signal: AbortSignal; untilEnd: boolean }

/**
 * The updates of a task: one for each event of its run, then its artifact and its state. It ends when the task waits for its
 * user; with `untilEnd` only when the task ends.
 */
export async function* followTask(deps: Deps, { run, afterSeq, signal, untilEnd }: From): AsyncGenerator<StreamResponse, void> {
  const deadline = deps.clock.now() + streamMs
  let seen = afterSeq
  for (;;) {
    for await (const event of followRun(deps, { runId: run.id, afterSeq: seen, deadline, signal })) {
      if (event === 'beat') continue
      seen = event.seq
      if (isProgress(event)) yield toProgress(run, event)
    }
    const now = await deps.store.run(run.id)
    if (!now || signal.aborted || deps.clock.now() >= deadline) return
    if (!isResting(now)) continue
    const end = yield* toRest(deps, now)
    if (end || !untilEnd) return
    await waitForChange(deps, now, { deadline, signal })
  }
}

/** The message of the user and the answer of the butler are parts of the task itself. */
const isProgress = ({ kind }: RunEvent) => kind !== 'message' && kind !== 'answer'

const toProgress = (run: Run, { kind, summary, seq, at }: RunEvent): StreamResponse =>
  toUpdate(run, {
    state: TaskState.TASK_STATE_WORKING,
    timestamp: toIso(at),
    message: toMessage({ run, id: `${run.id}-event-${seq}`, role: Role.ROLE_AGENT }, [toTextPart(summary || kind)]),
  })

type Status = ReturnType<typeof toStatus>

const toUpdate = (run: Run, status: Status): StreamResponse => ({
  payload: {
    $case: 'statusUpdate',
    value: { taskId: run.id, contextId: run.conversationId, status, metadata: undefined },
  },
})

/** The artifact and the state of a run at rest. Returns whether the task has ended. */
async function* toRest(deps: Deps, run: Run): AsyncGenerator<StreamResponse, boolean> {
  const job = run.jobId ? await deps.store.job(run.jobId) : undefined
  for (const artifact of await readArtifacts(deps, run, { job })) {
    const value = { taskId: run.id, contextId: run.conversationId, artifact, append: false, lastChunk: true, metadata: undefined }
    yield { payload: { $case: 'artifactUpdate', value } }
  }
  yield toUpdate(run, toStatus(run, job))
  return isTerminal(toState(run, job))
}

const waitForChange = (deps: Deps, run: Run, at: { deadline: number; signal: AbortSignal }) =>
  waitUntil(deps, { channel: `run:${run.id}`, ...at }, async () => {
    const now = await deps.store.run(run.id)
    return now?.state !== run.state || now.lastSeq > run.lastSeq ? true : undefined
  })
