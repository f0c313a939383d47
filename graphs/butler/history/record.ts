import type { LangGraphRunnableConfig } from '@langchain/langgraph'
import { z } from 'zod'
import { isObject } from '../../../src/domain/json.ts'
import { limits } from '../../../src/domain/limits.ts'
import { Problem } from '../../../src/domain/problem.ts'
import type { HistoryStep, PortCall } from '../../../src/domain/runs/history.ts'
import type { Asking } from '../../../src/ports.ts'
import { type AlreadyRead, withRead } from '../alreadyRead.ts'
import type { Equip } from '../graph.ts'
import { type Telling, tellMeanwhile } from '../telling.ts'
import { toPlain, toPlainList, toPlainUpdate } from './plain.ts'
import { type Watch, watchPorts } from './watch.ts'

/** Collects the steps of a run while it is advanced. */
export type Recorder = {
  /** The steps since the last call, which are then forgotten. */
  take(): readonly HistoryStep[]
  /** Notes what the run gets before its next step. */
  give(given: unknown): void
  /** Adds a completed step. */
  add(step: Omit<HistoryStep, 'given'>): void
  /** Takes a call into the recorder's limit, and leaves out its content when it is too long. */
  bound(call: PortCall): void
}

export const createRecorder = (): Recorder => {
  const steps: HistoryStep[] = []
  let given: unknown
  let bytesLeft: number = limits.historyBytes
  return {
    take: () => steps.splice(0),
    give(it) {
      given = it
    },
    add(step) {
      const plain = toPlain(given)
      steps.push({ ...step, ...(plain !== undefined && { given: plain }) })
      given = undefined
    },
    bound(call) {
      const bytes = Buffer.byteLength(JSON.stringify(call))
      bytesLeft -= bytes
      if (bytes <= limits.historyCallBytes && bytesLeft >= 0) return
      for (const name of ['result', 'problem', 'exchanges'] as const) delete call[name]
      Object.assign(call, { args: [], is_cut: true })
    },
  }
}

/** The place of a step in its run, and its recorder if the run has one. `configurable` of the graph carries it. */
const stepConfig = z.object({
  metadata: z.object({ langgraph_step: z.number(), langgraph_node: z.string() }),
  configurable: z
    .object({
      recorder: z.custom<Recorder>(isObject).optional(),
      telling: z.custom<Telling>(isObject).optional(),
      read: z.custom<AlreadyRead>(isObject).optional(),
    })
    .optional(),
})

/** Where a node runs: the number of the step, the name of the node, and the recorder of the run and its rows. */
export const placeOf = (config: LangGraphRunnableConfig) => {
  const { metadata, configurable } = stepConfig.parse(config)
  return { step: metadata.langgraph_step, node: metadata.langgraph_node, ...configurable }
}

/** Gives nodes ports whose calls are recorded, in runs with a recorder. Rows that were already read are not recorded. */
export const recorded: Equip = (make, deps) => {
  return async (state, config) => {
    const { step, node, recorder, telling, read } = placeOf(config)
    const ofRun = read ? withRead(deps, read) : deps
    const own = telling ? tellMeanwhile(ofRun, telling) : ofRun
    if (!recorder) return make(own)(state, config)
    const calls: PortCall[] = []
    const update = await make(watchPorts(own, recording(calls, recorder)))(state, config)
    recorder.add({ step, node, model: deps.model.id, model_ms: deps.modelMs, calls, update: toPlainUpdate(update) })
    return update
  }
}

/** Words of a model that are told while it writes decide nothing, and a replay has its whole answer at once. */
const isPassing = (port: string, [, event]: readonly unknown[]): boolean =>
  port === 'tell' && isObject(event) && event.kind === 'words'

const recording = (calls: PortCall[], recorder: Recorder): Watch => ({
  value: (_port, value) => value,
  call({ port, args }, make) {
    if (isPassing(port, args)) return make(args)
    const call: PortCall = { port, args: toPlainList(args) }
    calls.push(call)
    const answered = (result: unknown) => {
      const plain = toPlain(result)
      if (plain !== undefined) call.result = plain
      recorder.bound(call)
      return result
    }
    const refused = (error: unknown) => {
      if (error instanceof Problem) call.problem = { type: error.type, detail: toPlainText(error.detail) }
      recorder.bound(call)
      throw error
    }
    const result = make(args.map(it => (isAsking(it) ? listening(it, call) : it)))
    return result instanceof Promise ? result.then(answered, refused) : answered(result)
  },
})

const toPlainText = (text: string): string => String(toPlain(text))

/** Whether an argument says how a model is asked. */
export const isAsking = (it: unknown): it is Asking => isObject(it) && typeof it.spend === 'function'

/** Passes what a model reports on, and records it. */
const listening = (asking: Asking, call: PortCall): Asking => ({
  ...asking,
  spend(usage) {
    call.usage = [...(call.usage ?? []), { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens }]
    asking.spend?.(usage)
  },
  fail() {
    call.failures = (call.failures ?? 0) + 1
    asking.fail?.()
  },
  show(exchange) {
    const { instructions, prompt, answer } = exchange
    const plain = { instructions: toPlainText(instructions), prompt: toPlainText(prompt), answer: toPlainText(answer) }
    call.exchanges = [...(call.exchanges ?? []), plain]
    asking.show?.(exchange)
  },
})
