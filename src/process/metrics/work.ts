import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { ModelCall } from '../../ports.ts'

/** Upper bounds of the duration buckets, in seconds. */
const buckets = [0.005, 0.02, 0.1, 0.5, 2, 10]
/** Those of a language model, which is slower. */
const modelBuckets = [0.5, 1, 2, 4, 8, 16, 32]

/** An answered request. `route` is its pattern, such as `/runs/:run_id`: paths have ids, and would be metrics without end. */
type Answered = { method: string; route: string; status: number; ms: number }

/** @param takePolls the polls from memory since it was last asked */
const createMeters = (registers: Registry[], takePolls: () => number) => ({
  requests: new Histogram({
    name: 'market_request_seconds',
    help: 'Duration of answered requests, without polls from memory',
    buckets,
    registers,
    labelNames: ['method', 'route', 'status'],
  }),
  polls: new Counter({
    name: 'market_memory_polls_total',
    help: 'Polls without a job, answered from memory',
    registers,
    collect() {
      this.inc(takePolls())
    },
  }),
  steps: new Histogram({
    name: 'market_worker_step_seconds',
    help: 'Duration of steps of workers',
    buckets,
    registers,
    labelNames: ['worker'],
  }),
  failures: new Counter({
    name: 'market_worker_failures_total',
    help: 'Steps of workers that failed and are tried again',
    registers,
    labelNames: ['worker'],
  }),
  calls: new Histogram({
    name: 'market_model_seconds',
    help: 'Duration of questions to the language model',
    buckets: modelBuckets,
    registers,
    labelNames: ['question', 'outcome'],
  }),
  tokens: new Counter({
    name: 'market_model_tokens_total',
    help: 'Tokens of the language model; cached ones are among the input',
    registers,
    labelNames: ['kind'],
  }),
  migrating: new Gauge({
    name: 'market_schema_migrating_seconds',
    help: 'How long the migration that is under way has taken',
    registers,
    labelNames: ['version'],
  }),
})

/** What this process does, counted while it is done. */
export const countWork = (registry: Registry) => {
  let memoryPolls = 0
  const { requests, steps, failures, calls, tokens, migrating } = createMeters([registry], () => {
    const polls = memoryPolls
    memoryPolls = 0
    return polls
  })
  const countUsage = ({ inputTokens, outputTokens, cachedTokens = 0 }: ModelCall['usage'][number]) => {
    tokens.inc({ kind: 'input' }, inputTokens)
    tokens.inc({ kind: 'output' }, outputTokens)
    tokens.inc({ kind: 'cached' }, cachedTokens)
  }
  return {
    noteMigration({ version, ms, isDone }: { version: number; ms: number; isDone: boolean }) {
      if (isDone) migrating.reset()
      else migrating.set({ version: `${version}` }, ms / 1_000)
    },
    countRequest: ({ method, route, status, ms }: Answered) =>
      requests.observe({ method, route, status: `${status}` }, ms / 1_000),
    /** Polls that are answered from memory are many, so nothing else of them is measured. */
    countMemoryPoll() {
      memoryPolls += 1
    },
    countStep: (worker: string, ms: number) => steps.observe({ worker }, ms / 1_000),
    countFailure: (worker: string) => failures.inc({ worker }),
    countModelCall({ question, isAnswered, ms, usage }: ModelCall) {
      calls.observe({ question, outcome: isAnswered ? 'answered' : 'failed' }, ms / 1_000)
      for (const it of usage) countUsage(it)
    },
  }
}
