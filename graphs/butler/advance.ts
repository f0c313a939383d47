import { type BaseCheckpointSaver, Command } from '@langchain/langgraph'
import { z } from 'zod'
import { isDelivered, isFinal } from '../../src/domain/jobs/job.ts'
import { turnAct } from '../../src/domain/runs/acts.ts'
import { choice } from '../../src/domain/runs/choice.ts'
import type { HistoryStep } from '../../src/domain/runs/history.ts'
import { question } from '../../src/domain/runs/question.ts'
import { payingText, toLaterText, toProgressText } from '../../src/domain/runTexts/butler.ts'
import { isUnderWay } from '../../src/domain/x402/purchase.ts'
import { openTerms, toTermsReminder, toTermsText } from '../../src/domain/x402/purchaseProposal.ts'
import type { Butler, Run, RunSnapshot } from '../../src/ports.ts'
import type { ButlerDeps } from './deps.ts'
import { butler } from './graph.ts'
import { createRecorder, type Recorder, recorded } from './history/record.ts'
import { type Thread, toStopped, toThread } from './thread.ts'
import { type OnNode, timed } from './timed.ts'

const stop = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('question'), questions: z.array(question), lead: z.string().default('') }),
  z.object({ kind: z.literal('choices'), choices: z.array(choice), words: z.string() }),
  z.object({ kind: z.literal('proposal'), proposal: openTerms }),
  z.object({ kind: z.literal('delivery'), jobId: z.string() }),
  z.object({ kind: z.literal('end'), jobId: z.string() }),
  z.object({ kind: z.literal('payment') }),
])
type Stop = z.infer<typeof stop>

const known = z.object({
  content: z.string().default(''),
  notice: z.string().default(''),
  isAnswered: z.boolean().default(false),
  isBought: z.boolean().default(false),
  jobId: z.string().optional(),
  delivered: z.boolean().default(false),
  act: turnAct.optional(),
  choices: z.array(choice).default([]),
  next: z.array(z.string()).default([]),
})

/** No question, proposal or choice is open. */
const resting = { interruptId: undefined, questions: undefined, proposal: undefined, choices: undefined }

/** Keeps the steps of a run for its history. It must not reject, because a run continues without its history. */
export type KeepSteps = (runId: string, steps: readonly HistoryStep[], lease: string | undefined) => Promise<void>

/** Functions that receive the steps of runs. Both are optional: without `keepSteps`, no history is recorded. */
type Watchers = { keepSteps?: KeepSteps | undefined; onNode?: OnNode | undefined }

/**
 * Creates the butler, which keeps one graph thread for each run. Each step follows from the thread's checkpoint and our
 * database rows. Advancing is therefore safe at any time: after a crash, twice, or without news.
 */
export const createButler = (
  deps: ButlerDeps,
  checkpointer: BaseCheckpointSaver,
  { keepSteps, onNode }: Watchers = {},
): Butler => {
  const graph = butler(deps, { checkpointer, equip: onNode ? timed(recorded, onNode) : recorded })

  const advance = async (run: Run, lease?: string): Promise<RunSnapshot> => {
    if (!keepSteps) return advanceWith(run, { lease })
    const recorder = createRecorder()
    try {
      return await advanceWith(run, { lease, recorder })
    } finally {
      if (recorder.steps.length > 0) await keepSteps(run.id, recorder.steps, lease)
    }
  }

  type With = { lease: string | undefined; recorder?: Recorder }
  const advanceWith = async (run: Run, { lease, recorder }: With): Promise<RunSnapshot> => {
    // A thread is stored where it stops. After a crash, the nodes since the last stop run again.
    const config = { configurable: { thread_id: run.id, lease, recorder }, durability: 'exit' as const }
    let thread = toThread(await graph.getState(config))
    for (;;) {
      const overtaken = await overtakenBy(run, thread)
      if (overtaken) {
        await graph.updateState(config, overtaken.values, overtaken.after)
        thread = toThread(await graph.getState(config))
        continue
      }
      const step = await nextStep(run, thread)
      if ('reached' in step) return step.reached
      recorder?.give(step.given)
      thread = toStopped(await graph.invoke(step.input, config))
    }
  }

  /** The tasks that wait until this one has ended. */
  const toWaiting = ({ nextTasks = [] }: Run) => nextTasks.filter(it => it.state === 'waiting').map(it => it.text)

  /** `given` is what the run gets from outside with this step. */
  type Step = { reached: RunSnapshot } | { input: Parameters<typeof graph.invoke>[0]; given?: unknown }
  const nextStep = async (run: Run, thread: Thread): Promise<Step> => {
    const { waiting, values } = thread
    if (waiting?.id) {
      const at = stop.parse(waiting.value)
      const reply = await replyTo(run, waiting.id, at)
      return reply
        ? { input: new Command({ resume: { [waiting.id]: reply } }), given: reply }
        : { reached: snapshotAt(at, waiting.id, values) }
    }
    // A node failed, and runs again from its first line.
    if (!thread.rests) return { input: null }
    // The thread of a run that has reported the end of its job was deleted (releaseRun).
    if (thread.isNew && run.state === 'completed') return { reached: run }
    if (thread.isNew) {
      const { id: runId, chainId, target, task } = run
      const input = { runId, chainId, target, said: [task], words: task, next: toWaiting(run) }
      return { input, given: input }
    }
    const { content: answer, jobId, choices, ...rest } = known.parse(values)
    return { reached: { ...resting, ...turnOf(rest), state: 'completed', answer, jobId, choices } }
  }

  const replyTo = async (run: Run, interruptId: string, at: Stop) => {
    if (at.kind === 'question' || at.kind === 'proposal' || at.kind === 'choices') {
      const input = await deps.readInput(run.id, interruptId)
      return input?.kind === 'said' ? { ...input, interruptId } : input
    }
    if (at.kind === 'payment') {
      const purchase = await deps.readPurchase(run.id)
      return purchase?.agreedAt !== undefined && !isUnderWay(purchase) ? { final: true } : undefined
    }
    const job = await deps.readJob(at.jobId)
    if (!job) return undefined
    if (at.kind === 'end') return isFinal(job.state) ? { final: true } : undefined
    return isDelivered(job.state) ? { delivered: job.state === 'submitted' } : undefined
  }

  /**
   * Returns the job or purchase of the run that its paused thread does not know, because the process that started it stopped
   * before it saved the checkpoint. Jobs and purchases are binding, so the thread continues after the node that starts them.
   */
  const overtakenBy = async ({ id, jobId }: Run, { isNew, rests, waiting, values }: Thread) => {
    if (isNew || !rests) return undefined
    const { jobId: knownJob, isBought } = known.parse(values)
    if (knownJob !== undefined || isBought) return undefined
    if (jobId !== undefined) return { values: { jobId }, after: 'escrow' as const }
    const purchase = waiting ? await deps.readPurchase(id) : undefined
    return purchase?.agreedAt === undefined ? undefined : { values: { isBought: true, content: '' }, after: 'buy' as const }
  }

  return { advance }
}

const turnOf = ({ act, next }: { act?: RunSnapshot['act']; next: string[] }) => ({
  act,
  ...(next.length > 0 && { nextTasks: next.map(text => ({ text, state: 'waiting' as const })) }),
})

const snapshotAt = (at: Stop, interruptId: string, values: unknown): RunSnapshot => {
  const { jobId, notice, isAnswered, delivered, ...rest } = known.parse(values)
  const { next } = rest
  const later = next.length > 0 ? toLaterText(next) : ''
  const noticed = (answer: string) => [notice, answer, later].filter(Boolean).join('\n')
  const turn = { ...resting, ...turnOf(rest), jobId }
  if (at.kind === 'question')
    return {
      ...turn,
      state: 'awaiting-input',
      interruptId,
      answer: noticed([...(at.lead ? [at.lead] : []), ...at.questions.map(it => it.words)].join('\n')),
      questions: at.questions,
    }
  if (at.kind === 'choices')
    return { ...turn, state: 'awaiting-input', interruptId, answer: noticed(at.words), choices: at.choices }
  if (at.kind === 'proposal')
    return {
      ...turn,
      state: 'awaiting-confirmation',
      interruptId,
      answer: noticed(isAnswered ? toTermsReminder(at.proposal) : toTermsText(at.proposal)),
      proposal: at.proposal,
    }
  if (at.kind === 'payment') return { ...turn, state: 'awaiting-job', answer: payingText }
  const ended = delivered ? 'judged' : 'undelivered'
  return { ...turn, state: 'awaiting-job', answer: toProgressText(at.kind === 'end' ? ended : 'working') }
}
