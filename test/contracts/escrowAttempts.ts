import fc from 'fast-check'
import {
  type Creation,
  type Model,
  type Move,
  type Party,
  parties,
  refundableAt,
  refusalOf,
  rules,
  tryCreate,
  tryMove,
  type Words,
} from './escrowModel.ts'
import { usdc } from './world.ts'

const party = fc.constantFrom(...parties)
const amount = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(1n, 19n, usdc(1), usdc(400)) },
  { weight: 1, arbitrary: fc.constantFrom(0n, usdc(1_001), 2n ** 96n) },
)
const lifetime = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(301n, 2_000n, 9_000n, 365n * 86_400n) },
  { weight: 1, arbitrary: fc.constantFrom(0n, 300n, 365n * 86_400n + 1n) },
)
const words = fc.record<Words>({
  provider: fc.oneof({ weight: 4, arbitrary: party }, { weight: 1, arbitrary: fc.constant(undefined) }),
  evaluator: party,
  lifetime,
  amount,
})
/** A number of seconds, or the second of a job's expiry or refund, or the second before it. */
const wait = fc.oneof(
  { weight: 12, arbitrary: fc.record({ seconds: fc.bigInt(1n, 200n) }) },
  { weight: 1, arbitrary: fc.record({ seconds: fc.bigInt(200n, 8_000n) }) },
  {
    weight: 4,
    arbitrary: fc.record({ edge: fc.constantFrom('expiry' as const, 'refund' as const), early: fc.constantFrom(0n, 1n) }),
  },
)
const creations: Creation[] = ['createJob', 'createAndFund']
const moves: Move[] = [
  'setProvider',
  'setBudget',
  'setBudget',
  'fund',
  'fund',
  'submit',
  'submit',
  'complete',
  'complete',
  'completeUsed',
  'completeUsed',
  'reject',
  'claimRefund',
]
export const step = fc.record({
  call: fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...creations) }, { weight: 7, arbitrary: fc.constantFrom(...moves) }),
  job: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 3 }) }, { weight: 1, arbitrary: fc.constantFrom(0, 4) }),
  /** Whether to choose a job, a price and a caller that are accepted, or only the job and the price, or none of them. */
  fit: fc.constantFrom('wholly', 'butForCaller', 'notAtAll'),
  caller: party,
  words,
  wait,
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** One call, with the time of its block and the outcome in the model. */
export type Attempt = { call: Move | Creation; jobId: bigint; caller: Party; words: Words; now: bigint; outcome: string }

const isCreation = (call: Move | Creation): call is Creation => call === 'createJob' || call === 'createAndFund'

/** The time of a step in s: a number of seconds later, or a job's expiry or refund time if that is in the future. */
const timeOf = ({ jobs }: Model, before: bigint, { job: jobId, wait: it }: Step): bigint => {
  if ('seconds' in it) return before + it.seconds
  const job = jobs[jobId - 1]
  const edge = job && (it.edge === 'expiry' ? job.expiredAt : refundableAt(job)) - it.early
  return edge !== undefined && edge > before ? edge : before + 1n
}

type Named = { jobId: number; caller: Party; words: Words }

/** The step with a caller and a price that its job accepts. */
const asItShould = (model: Model, move: Move, { job: jobId, caller, words }: Step): Named => {
  const job = model.jobs[jobId - 1]
  const { budget = 0n } = job ?? {}
  const amount = move === 'fund' || (move === 'completeUsed' && words.amount > budget) ? budget : words.amount
  return { jobId, caller: (job && rules[move].by?.(job)[0]) ?? caller, words: { ...words, amount } }
}

const tryOut = (model: Model, before: bigint, it: Step): Attempt => {
  const { call } = it
  const now = timeOf(model, before, it)
  if (isCreation(call)) {
    const outcome = tryCreate(model, call, { ...it, now })
    return { ...it, call, jobId: 0n, now, outcome }
  }
  // Tries the step's own job first, because the time may have been chosen for it.
  const fitting = [it.job, ...model.jobs.map((_, index) => index + 1)]
    .map(jobId => asItShould(model, call, { ...it, job: jobId }))
    .find(named => refusalOf(model, call, { ...named, now }) === undefined)
  const { jobId, words, ...rest } = (it.fit !== 'notAtAll' && fitting) || { ...it, jobId: it.job }
  const caller = it.fit === 'butForCaller' ? it.caller : rest.caller
  const outcome = tryMove(model, call, { jobId, caller, words, now })
  return { call, jobId: BigInt(jobId), caller, words, now, outcome }
}

/** Runs the steps in the model, each in its own block. Changes the model. */
export const rehearse = (model: Model, start: bigint, steps: Step[]): Attempt[] => {
  let now = start
  return steps.map(it => {
    const attempt = tryOut(model, now, it)
    now = attempt.now
    return attempt
  })
}
