import { Command, isGraphInterrupt, MemorySaver } from '@langchain/langgraph'
import { z } from 'zod'
import { isProblemName, Problem } from '../../../src/domain/problem.ts'
import type { History, HistoryStep, PortCall } from '../../../src/domain/runs/history.ts'
import { proposal } from '../../../src/domain/runs/proposal.ts'
import type { ButlerDeps } from '../deps.ts'
import { effects } from '../effects.ts'
import { butler, type Equip } from '../graph.ts'
import { type Difference, firstDifference } from './difference.ts'
import { fromPlain, toPlainList, toPlainUpdate } from './plain.ts'
import { isAsking, placeOf } from './record.ts'
import { type Watch, watchPorts } from './watch.ts'

/** The outcome of a replay. `incomplete`: the history lacks what the next step read, so it could not be compared. */
export type Outcome =
  | { kind: 'same'; steps: number }
  | { kind: 'different'; difference: Difference }
  | { kind: 'incomplete'; step: number; node: string }

/** Ports that answer without a promise. */
const immediate: readonly string[] = ['now', 'servesChain', 'usdcDecimals'] satisfies (keyof ButlerDeps)[]

/** What a run starts with. */
const firstInput = z.object({
  runId: z.string(),
  chainId: z.number(),
  target: z.string().optional(),
  said: z.array(z.string()),
  words: z.string(),
  next: z.array(z.string()),
  step: z.number().optional(),
  proposal: proposal.optional(),
})

/** Ends a replay. LangGraph passes it through. */
class Stop extends Error {
  readonly outcome: Outcome

  constructor(outcome: Outcome) {
    super(`the replay ended: ${outcome.kind}`)
    this.outcome = outcome
  }
}

type Found = Omit<Difference, 'step' | 'node'>

/** Reads a history step by step. */
const openCursor = ({ steps }: History) => {
  let at = 0
  /** Whether the reply before the next step was given. */
  let isGiven = false
  const refuse = (node: string, found: Found): never => {
    const { step = at + 1 } = steps[at] ?? {}
    throw new Stop({ kind: 'different', difference: { step, node, ...found } })
  }
  return {
    refuse,
    /** The next recorded step; undefined at the end. */
    next: (): HistoryStep | undefined => {
      const step = steps[at]
      if (step && (step.is_cut || step.step !== (steps[at - 1]?.step ?? 0) + 1))
        throw new Stop({ kind: 'incomplete', step: step.step, node: step.node })
      return step
    },
    take() {
      isGiven = true
      return steps[at]?.given
    },
    pass() {
      at += 1
      isGiven = false
    },
    isGiven: () => isGiven,
  }
}
type Cursor = ReturnType<typeof openCursor>

const replaying = (step: HistoryStep | undefined, left: PortCall[], refuse: (found: Found) => never): Watch => ({
  value: (port, value) => (port === 'model.id' ? step?.model : port === 'modelMs' ? step?.model_ms : value),
  call({ port, args }) {
    const now = toPlainList(args)
    const ofPort = left.filter(it => it.port === port)
    const call = ofPort.find(it => !it.is_cut && firstDifference(it.args, now) === undefined)
    if (!call) {
      const [nearest] = ofPort
      if (step && nearest?.is_cut) throw new Stop({ kind: 'incomplete', step: step.step, node: step.node })
      return refuse(firstDifference(nearest?.args, now, port) ?? { field: port, recorded: undefined, now })
    }
    left.splice(left.indexOf(call), 1)
    report(call, args)
    if (call.problem) return Promise.reject(toProblem(call.problem))
    const result = fromPlain(call.result)
    return immediate.includes(port) ? result : Promise.resolve(result)
  },
})

/** Reports what the model had reported. */
const report = ({ usage = [], failures = 0 }: PortCall, args: unknown[]) => {
  const asking = args.find(isAsking)
  for (const it of usage) asking?.spend?.({ inputTokens: it.input_tokens, outputTokens: it.output_tokens })
  for (let left = failures; left > 0; left -= 1) asking?.fail?.()
}

const toProblem = ({ type, detail }: NonNullable<PortCall['problem']>) =>
  new Problem(isProblemName(type) ? type : 'internal', detail)

/** Gives nodes ports that answer from the history, and compares what the nodes do and decide. */
const replayed =
  (cursor: Cursor): Equip =>
  (make, deps) =>
  async (state, config) => {
    const { node } = placeOf(config)
    const step = cursor.next()
    const isOver: Found = { field: 'node', recorded: 'the run waits or has ended', now: node }
    const refuse = (found: Found) => cursor.refuse(node, step ? found : isOver)
    if (step && step.node !== node) refuse({ field: 'node', recorded: step.node, now: node })
    const left = [...(step?.calls ?? [])]
    const update = await run(() => make(watchPorts(deps, replaying(step, left, refuse)))(state, config), refuse)
    if (!step) return refuse(isOver)
    if (step.given !== undefined && !cursor.isGiven()) refuse({ field: 'pause', recorded: 'waits', now: 'goes on' })
    const missed = left.find(it => effects.some(effect => effect === it.port))
    if (missed) refuse({ field: missed.port, recorded: missed.args, now: undefined })
    const found = firstDifference(step.update, toPlainUpdate(update), 'update')
    if (found) refuse(found)
    cursor.pass()
    return update
  }

/** Runs a node. An error that it did not throw when it was recorded is a difference. */
const run = async <T>(work: () => T | Promise<T>, refuse: (found: Found) => never): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Stop || isGraphInterrupt(error)) throw error
    return refuse({ field: 'error', recorded: undefined, now: String(error) })
  }
}

/**
 * Runs a history against the current code of the graph, without any part outside it.
 * @param shape ports that are never called; they tell functions from values
 */
export const replay = async (history: History, shape: ButlerDeps): Promise<Outcome> => {
  const cursor = openCursor(history)
  const graph = butler(shape, { checkpointer: new MemorySaver(), equip: replayed(cursor) })
  const config = { configurable: { thread_id: history.run_id } }
  try {
    cursor.next()
    let input: Parameters<typeof graph.invoke>[0] = firstInput.parse(cursor.take())
    for (;;) {
      await graph.invoke(input, config)
      const { tasks } = await graph.getState(config)
      const step = cursor.next()
      const [task] = tasks
      const [paused] = task?.interrupts ?? []
      if (!step) return { kind: 'same', steps: history.steps.length }
      if (!paused?.id) return cursor.refuse(step.node, { field: 'node', recorded: step.node, now: 'the run has ended' })
      if (step.given === undefined) cursor.refuse(step.node, { field: 'pause', recorded: 'goes on', now: `${task?.name} waits` })
      input = new Command({ resume: { [paused.id]: fromPlain(cursor.take()) } })
    }
  } catch (error) {
    if (error instanceof Stop) return error.outcome
    throw error
  }
}
