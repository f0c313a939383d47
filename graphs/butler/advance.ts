import { type BaseCheckpointSaver, Command, type StateSnapshot } from '@langchain/langgraph'
import { z } from 'zod'
import { turnAct } from '../../src/domain/acts.ts'
import { choice } from '../../src/domain/choice.ts'
import type { HistoryStep } from '../../src/domain/history.ts'
import { isDelivered, isFinal } from '../../src/domain/job.ts'
import { proposal } from '../../src/domain/proposal.ts'
import { toProposalText, toStillOpen } from '../../src/domain/proposalText.ts'
import { question } from '../../src/domain/question.ts'
import { toLaterText, toProgressText } from '../../src/domain/runTexts/butler.ts'
import type { Butler, Run, RunSnapshot } from '../../src/ports.ts'
import type { ButlerDeps } from './deps.ts'
import { butler } from './graph.ts'
import { createRecorder, type Recorder, recorded } from './history/record.ts'
import { type OnNode, timed } from './timed.ts'

const stop = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('question'), questions: z.array(question), lead: z.string().default('') }),
  z.object({ kind: z.literal('choices'), choices: z.array(choice), words: z.string() }),
  z.object({ kind: z.literal('proposal'), proposal }),
  z.object({ kind: z.literal('delivery'), jobId: z.string() }),
  z.object({ kind: z.literal('end'), jobId: z.string() }),
])
type Stop = z.infer<typeof stop>

const known = z.object({
  content: z.string().default(''),
  notice: z.string().default(''),
  isAnswered: z.boolean().default(false),
  proposal: proposal.optional(),
  jobId: z.string().optional(),
  act: turnAct.optional(),
  choices: z.array(choice).default([]),
  next: z.array(z.string()).default([]),
})

/** No question, proposal or choice is open. */
const resting = { interruptId: undefined, questions: undefined, proposal: undefined, choices: undefined }

/** Keeps the steps of a run for its history. It must not reject, because a run continues without its history. */
export type KeepSteps = (runId: string, steps: readonly HistoryStep[], lease: string | undefined) => Promise<void>

/** Who is told of the steps of runs. Both are optional: without `keepSteps`, no history is recorded. */
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
    const config = { configurable: { thread_id: run.id, lease, recorder }, durability: 'sync' as const }
    for (;;) {
      const snapshot = await graph.getState(config)
      if (isOvertaken(run, snapshot)) {
        await graph.updateState(config, { jobId: run.jobId }, 'escrow')
        continue
      }
      const step = await nextStep(run, snapshot)
      if ('reached' in step) return step.reached
      recorder?.give(step.given)
      await graph.invoke(step.input, config)
    }
  }

  /** The tasks that wait until this one has ended. */
  const toWaiting = ({ nextTasks = [] }: Run) => nextTasks.filter(it => it.state === 'waiting').map(it => it.text)

  /** `given` is what the run gets from outside with this step. */
  type Step = { reached: RunSnapshot } | { input: Parameters<typeof graph.invoke>[0]; given?: unknown }
  const nextStep = async (run: Run, snapshot: StateSnapshot): Promise<Step> => {
    const waiting = snapshot.tasks.flatMap(task => task.interrupts)[0]
    if (waiting?.id) {
      const at = stop.parse(waiting.value)
      const reply = await replyTo(run, waiting.id, at)
      return reply
        ? { input: new Command({ resume: { [waiting.id]: reply } }), given: reply }
        : { reached: snapshotAt(at, waiting.id, snapshot) }
    }
    // A node was interrupted and runs again from its first line, or its result was saved without the next step. `next` omits
    // the second case, so it is not used here.
    if (snapshot.tasks.length > 0) return { input: null }
    // The thread of a run that has reported the end of its job was deleted (releaseRun).
    if (snapshot.createdAt === undefined && run.state === 'completed') return { reached: run }
    if (snapshot.createdAt === undefined) {
      const { id: runId, chainId, target, task } = run
      const input = { runId, chainId, target, said: [task], words: task, next: toWaiting(run) }
      return { input, given: input }
    }
    const { content: answer, jobId, choices, ...rest } = known.parse(snapshot.values)
    return { reached: { ...resting, ...turnOf(rest), state: 'completed', answer, jobId, choices } }
  }

  const replyTo = async (run: Run, interruptId: string, at: Stop) => {
    if (at.kind === 'question' || at.kind === 'proposal' || at.kind === 'choices') {
      const input = await deps.readInput(run.id, interruptId)
      return input?.kind === 'said' ? { ...input, interruptId } : input
    }
    const job = await deps.readJob(at.jobId)
    if (!job) return undefined
    if (at.kind === 'end') return isFinal(job.state) ? { final: true } : undefined
    return isDelivered(job.state) ? { delivered: job.state === 'submitted' } : undefined
  }

  return { advance }
}

/**
 * Whether the run has a job that its paused thread does not know. The process that opened the job lost the thread before it
 * saved the job. The job is binding, so the thread continues with it.
 */
const isOvertaken = ({ jobId }: Run, { tasks, values, createdAt }: StateSnapshot): boolean => {
  const rests = createdAt !== undefined && tasks.every(task => task.interrupts.length > 0)
  return jobId !== undefined && rests && known.parse(values).jobId === undefined
}

const turnOf = ({ act, next }: { act?: RunSnapshot['act']; next: string[] }) => ({
  act,
  ...(next.length > 0 && { nextTasks: next.map(text => ({ text, state: 'waiting' as const })) }),
})

const snapshotAt = (at: Stop, interruptId: string, snapshot: StateSnapshot): RunSnapshot => {
  const { jobId, notice, isAnswered, ...rest } = known.parse(snapshot.values)
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
      answer: noticed(isAnswered ? toStillOpen(at.proposal) : toProposalText(at.proposal)),
      proposal: at.proposal,
    }
  return { ...turn, state: 'awaiting-job', answer: toProgressText(at.kind === 'end') }
}
