import { type BaseCheckpointSaver, Command } from '@langchain/langgraph'
import { splitFileLinks } from '../../src/domain/files/fileLinks.ts'
import { givenFile } from '../../src/domain/files/namedFile.ts'
import { isDelivered, isFinal } from '../../src/domain/jobs/job.ts'
import type { HistoryStep } from '../../src/domain/runs/history.ts'
import { isUnderWay } from '../../src/domain/x402/purchase.ts'
import type { Butler, ClaimedRun, Run, RunSnapshot, ThreadKeeper } from '../../src/ports.ts'
import { type AlreadyRead, forget } from './alreadyRead.ts'
import type { ButlerDeps } from './deps.ts'
import { butler } from './graph.ts'
import { createRecorder, type Recorder, recorded } from './history/record.ts'
import { known, type Stop, snapshotAt, snapshotAtEnd, stop } from './snapshots.ts'
import { createTelling, type Telling } from './telling.ts'
import { type Thread, toStopped, toThread } from './thread.ts'
import { type OnNode, timed } from './timed.ts'

/** Keeps the steps of a run for its history. It must not reject, because a run continues without its history. */
export type KeepSteps = (runId: string, steps: readonly HistoryStep[], lease: string | undefined) => Promise<void>

/** Functions that receive the steps of runs. Both are optional: without `keepSteps`, no history is recorded. */
type Watchers = { keepSteps?: KeepSteps | undefined; onNode?: OnNode | undefined }

type With = { lease: string | undefined; telling: Telling; recorder?: Recorder }

/**
 * Creates the butler, which keeps one graph thread for each run. Each step follows from the thread's checkpoint and our
 * database rows. Advancing is therefore safe at any time: after a crash, twice, or without news.
 */
export const createButler = (
  deps: ButlerDeps,
  checkpointer: BaseCheckpointSaver & Partial<ThreadKeeper>,
  { keepSteps, onNode }: Watchers = {},
): Butler => {
  const graph = butler(deps, { checkpointer, equip: onNode ? timed(recorded, onNode) : recorded })

  /** After a failure the results of the nodes before it are stored at once. If that fails as well, these nodes run again. */
  const advance = async (run: ClaimedRun, lease?: string): Promise<RunSnapshot> => {
    const telling = createTelling(deps, run.id)
    try {
      const reached = await (keepSteps ? recording(keepSteps, advanceWith) : advanceWith)(run, { lease, telling })
      if (lease !== undefined) return { ...reached, told: await telling.take(), thread: checkpointer.takeThread?.(run.id, lease) }
      await telling.done()
      return reached
    } catch (error) {
      // The nodes that told what is not written run again.
      const isTold = await telling.done().then(
        () => true,
        () => false,
      )
      if (lease !== undefined && isTold) await checkpointer.saveThread?.(run.id, lease).catch(() => undefined)
      throw error
    }
  }

  const advanceWith: Advance = async (run, { lease, telling, recorder }) => {
    // A thread is stored where it stops. After a crash, the nodes since the last stop run again.
    const read: AlreadyRead = { run, job: undefined, listings: new Map() }
    const config = { configurable: { thread_id: run.id, lease, recorder, telling, read }, durability: 'exit' as const }
    const begun = graph.getState(config).then(toThread)
    const [at, answer, rows] = await Promise.all([begun, begun.then(it => readAnswer(deps, run, it)), rowsBefore(deps, run)])
    read.job = rows.job
    let thread = at
    for (let before: Before | undefined = { ...rows, answer }; ; ) {
      // Also after a step: a thread that began anew may stop at a proposal whose job is open.
      const overtaken = overtakenBy(run, thread, rows)
      if (overtaken) {
        await graph.updateState(config, overtaken.values, overtaken.after)
        thread = toThread(await graph.getState(config))
        continue
      }
      const step = await nextStep(deps, run, { ...thread, before })
      if ('reached' in step) return step.reached
      recorder?.give(step.given)
      thread = toStopped(await graph.invoke(step.input, config))
      before = undefined
      forget(read)
    }
  }

  return { advance }
}

type Advance = (run: ClaimedRun, of: With) => Promise<RunSnapshot>

/** Records the steps. They are kept by the write that ends the lease, and at once after a failure. */
const recording =
  (keepSteps: KeepSteps, advance: Advance): Advance =>
  async (run, of) => {
    const recorder = createRecorder()
    try {
      const reached = await advance(run, { ...of, recorder })
      return { ...reached, steps: recorder.take() }
    } catch (error) {
      const steps = recorder.take()
      if (steps.length > 0) await keepSteps(run.id, steps, of.lease)
      throw error
    }
  }

/** The tasks that wait until this one has ended. */
const toWaiting = ({ nextTasks = [] }: Run) => nextTasks.filter(it => it.state === 'waiting').map(it => it.text)

const toMessage = ({ id: runId, chainId, target, task }: Run) => {
  const { words, files } = splitFileLinks(task)
  const given = files.map(it => givenFile.parse(it))
  return { runId, chainId, target, said: [words], words, ...(given.length > 0 && { files: given }) }
}

/** What the thread of a run may not know, read together with it. A run has a job, or a plan or purchase. */
const rowsBefore = async (deps: ButlerDeps, { id, jobId, step, job, isBinding = true }: ClaimedRun) => {
  // The job of the claim may have been moved since, even back by a revision or a reorganisation. Each move compares the stored row.
  if (jobId !== undefined) return { job: job && isDelivered(job.state) ? job : await deps.readJob(jobId) }
  if (!isBinding) return {}
  const [plan, purchase] = await Promise.all([step === undefined ? deps.agreedPlan(id) : undefined, deps.readPurchase(id)])
  return { plan, purchase }
}
/** The rows, and the answer to the interrupt at which the thread waited. */
type Before = Rows & { answer?: Awaited<ReturnType<typeof readAnswer>> }
type Rows = {
  job?: Awaited<ReturnType<ButlerDeps['readJob']>>
  plan?: Awaited<ReturnType<ButlerDeps['agreedPlan']>>
  purchase?: Awaited<ReturnType<ButlerDeps['readPurchase']>>
}

/** The plan that runs although the thread of its run does not wait for it. Written anew, its tasks would be another plan. */
const unknownPlan = ({ state }: Run, { isNew, rests, waiting, values }: Thread, plan: Rows['plan']): Rows['plan'] => {
  if (!plan || (!isNew && !rests)) return undefined
  // The thread of a run that has ended may be gone.
  const isKnown = isNew ? state === 'completed' : known.parse(values).isPlanOver
  return isKnown || (waiting && stop.parse(waiting.value).kind === 'plan') ? undefined : plan
}

type Input = Parameters<ReturnType<typeof butler>['invoke']>[0]
/** `given` is what the run gets from outside with this step. */
type Step = { reached: RunSnapshot } | { input: Input; given?: unknown }

const nextStep = async (
  deps: ButlerDeps,
  run: Run,
  { waiting, values, rests, isNew, before }: Thread & { before: Before | undefined },
): Promise<Step> => {
  if (waiting?.id) {
    const at = stop.parse(waiting.value)
    // Nobody can have answered a stop which this advance has just made. A job that it opened wakes the run when it is delivered.
    const isFresh = answered.includes(at.kind) || (at.kind === 'delivery' && run.jobId === undefined)
    if (!before && isFresh) return { reached: snapshotAt(at, waiting.id, values) }
    const reply = await replyTo(deps, { runId: run.id, interruptId: waiting.id, at, before })
    return reply
      ? { input: new Command({ resume: { [waiting.id]: reply } }), given: reply }
      : { reached: snapshotAt(at, waiting.id, values) }
  }
  // A node failed, and runs again from its first line.
  if (!rests) return { input: null }
  if (!isNew) return { reached: snapshotAtEnd(values) }
  // The thread of a run that has reported the end of its job was deleted (releaseRun).
  if (run.state === 'completed') return { reached: run }
  const { id: runId, step } = run
  const message = { ...toMessage(run), next: toWaiting(run) }
  const input = step === undefined ? message : { ...message, step, ...(await deps.readStep(runId)) }
  return { input, given: input }
}

/** Stops at which a user answers. */
const answered: readonly string[] = ['question', 'proposal', 'choices'] satisfies Stop['kind'][]

const readAnswer = async ({ readInput }: ButlerDeps, { id, inputs }: ClaimedRun, { waiting }: Thread) => {
  if (!waiting?.id || !answered.includes(stop.parse(waiting.value).kind)) return undefined
  return { to: waiting.id, input: inputs?.get(waiting.id) ?? (await readInput(id, waiting.id)) }
}

type Pause = { runId: string; interruptId: string; at: Stop; before: Before | undefined }

/** What a paused run waits for, if it has come. */
const replyTo = async (deps: ButlerDeps, { runId, interruptId, at, before }: Pause) => {
  if (at.kind === 'question' || at.kind === 'proposal' || at.kind === 'choices') {
    const { answer } = before ?? {}
    const input = answer?.to === interruptId ? answer.input : await deps.readInput(runId, interruptId)
    return input?.kind === 'said' ? { ...input, interruptId } : input
  }
  if (at.kind === 'payment') {
    const purchase = await deps.readPurchase(runId)
    return purchase?.agreedAt !== undefined && !isUnderWay(purchase) ? { final: true } : undefined
  }
  if (at.kind === 'plan') return (await deps.seePlan(runId)) === at.seen ? undefined : { news: true }
  const known = before?.job?.id === at.jobId ? before.job : undefined
  const job = known && (at.kind !== 'end' || isFinal(known.state)) ? known : await deps.readJob(at.jobId)
  if (!job) return undefined
  if (at.kind === 'end') return isFinal(job.state) ? { final: true } : undefined
  return isDelivered(job.state) ? { delivered: job.state === 'submitted' } : undefined
}

/**
 * Returns the job, plan or purchase of the run that its paused thread does not know, because the process that started it stopped
 * before it saved the checkpoint. All of them are binding, so the thread continues after the node that starts them.
 */
const overtakenBy = (run: Run, thread: Thread, { plan, purchase }: Rows) => {
  const { jobId } = run
  const { isNew, rests, waiting, values } = thread
  const { jobId: knownJob, isBought } = known.parse(isNew || !rests ? {} : values)
  const knowsAll = isNew || !rests || knownJob !== undefined || isBought
  const planned = unknownPlan(run, thread, plan)
  if (planned) return { values: { ...toMessage(run), planned, decision: 'yes' as const, content: '' }, after: 'consent' as const }
  if (knowsAll) return undefined
  if (jobId !== undefined) return { values: { jobId }, after: 'escrow' as const }
  return waiting && purchase?.agreedAt !== undefined
    ? { values: { isBought: true, content: '' }, after: 'buy' as const }
    : undefined
}
