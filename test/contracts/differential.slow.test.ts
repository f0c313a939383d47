import fc from 'fast-check'
import {
  type Address,
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Attempt, rehearse, step } from './escrowAttempts.ts'
import { type Model, type Party, parties, statuses } from './escrowModel.ts'
import { deliverable, reason } from './hires.ts'
import { people, startWorld, usdc, type World } from './world.ts'

/** The number of sequences; for a longer run: DIFFERENTIAL_RUNS=20000. */
const numRuns = Number(process.env.DIFFERENTIAL_RUNS ?? 250)
const wealth = usdc(1_000)

let world: World
let now: bigint

beforeAll(async () => {
  world = await startWorld()
  const { token, escrow, mined } = world
  for (const party of ['evaluator', 'stranger'] as const)
    await mined(token.write.mint([people[party].address, wealth], { account: people.deployer }))
  for (const party of parties) await mined(token.write.approve([escrow.address, 2n ** 256n - 1n], { account: people[party] }))
  now = await world.now()
})
afterAll(() => world.stop())

const newModel = (): Model => {
  const ledger = { client: wealth, provider: wealth, evaluator: wealth, stranger: wealth, escrow: 0n, treasury: 0n }
  return { jobs: [], ledger }
}

const addressOf = (party: Party | undefined) => (party ? people[party].address : zeroAddress)

const dataOf = ({ call, jobId, words: it, now }: Attempt): Hex => {
  const { abi } = world.escrow
  const provider = addressOf(it.provider)
  const [evaluator, expiredAt] = [addressOf(it.evaluator), now + it.lifetime]
  const encode = {
    createJob: () =>
      encodeFunctionData({ abi, functionName: 'createJob', args: [provider, evaluator, expiredAt, '', zeroAddress] }),
    createAndFund: () =>
      encodeFunctionData({ abi, functionName: 'createAndFund', args: [provider, evaluator, expiredAt, '', it.amount] }),
    setProvider: () => encodeFunctionData({ abi, functionName: 'setProvider', args: [jobId, provider, '0x'] }),
    setBudget: () => encodeFunctionData({ abi, functionName: 'setBudget', args: [jobId, it.amount, '0x'] }),
    fund: () => encodeFunctionData({ abi, functionName: 'fund', args: [jobId, it.amount, '0x'] }),
    submit: () => encodeFunctionData({ abi, functionName: 'submit', args: [jobId, deliverable, '0x'] }),
    complete: () => encodeFunctionData({ abi, functionName: 'complete', args: [jobId, reason, '0x'] }),
    completeUsed: () => encodeFunctionData({ abi, functionName: 'completeUsed', args: [jobId, it.amount, reason] }),
    reject: () => encodeFunctionData({ abi, functionName: 'reject', args: [jobId, reason, '0x'] }),
    claimRefund: () => encodeFunctionData({ abi, functionName: 'claimRefund', args: [jobId] }),
  }
  return encode[call]()
}

const simulated = z.array(
  z.object({ calls: z.array(z.object({ status: z.enum(['0x0', '0x1']), returnData: z.templateLiteral(['0x', z.string()]) })) }),
)
type Block = { time: bigint; calls: { from: Address; to: Address; data: Hex }[] }

/**
 * Simulates blocks on top of the chain without storing them (eth_simulateV1), so that every sequence starts from the same
 * state.
 */
const simulate = async (blocks: Block[]) => {
  const blockStateCalls = blocks.map(({ time, calls }) => ({ blockOverrides: { time: numberToHex(time) }, calls }))
  const request: { method: string; params: unknown[] } = { method: 'eth_simulateV1', params: [{ blockStateCalls }, 'latest'] }
  const told = simulated.parse(await world.chain.transport.request(request))
  return told.map(block => block.calls)
}

/** Reads the state of the contract after the calls, in the form of the model. */
const readingsOf = (jobs: number): { data: Hex; to: Address; read: (answer: Hex) => unknown }[] => {
  const { escrow, token } = world
  const job = (id: bigint) => ({
    to: escrow.address,
    data: encodeFunctionData({ abi: escrow.abi, functionName: 'getJob', args: [id] }),
    read: (data: Hex) => {
      const { client, provider, evaluator, budget, expiredAt, submittedAt, status } = decodeFunctionResult({
        abi: escrow.abi,
        functionName: 'getJob',
        data,
      })
      return { client, provider, evaluator, budget, expiredAt, submittedAt, status: statuses[status] }
    },
  })
  const balance = (of: Address) => ({
    to: token.address,
    data: encodeFunctionData({ abi: token.abi, functionName: 'balanceOf', args: [of] }),
    read: BigInt,
  })
  const holders = [...parties.map(addressOf), escrow.address, people.treasury.address]
  return [...holders.map(balance), ...Array.from({ length: jobs }, (_, index) => job(BigInt(index + 1)))]
}

const toReadings = ({ ledger, jobs }: Model) => [
  ...[...parties, 'escrow' as const, 'treasury' as const].map(holder => ledger[holder]),
  ...jobs.map(job => ({
    ...job,
    client: addressOf(job.client),
    provider: addressOf(job.provider),
    evaluator: addressOf(job.evaluator),
  })),
]

test('the contract answers any sequence of calls as the ERC-8183 table does, and ends with the same jobs and money', async () => {
  const accepted: Record<string, number> = {}
  const { address: to, abi } = { ...world.escrow }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 50, size: 'max' }), async steps => {
      const model = newModel()
      const attempts = rehearse(model, now, steps)
      const readings = readingsOf(model.jobs.length)
      const blocks = attempts.map(it => ({ time: it.now, calls: [{ from: addressOf(it.caller), to, data: dataOf(it) }] }))
      const last = { time: (attempts.at(-1)?.now ?? now) + 1n, calls: readings.map(it => ({ ...it, from: zeroAddress })) }
      const told = await simulate([...blocks, last])

      const outcomes = told.slice(0, -1).map(([it]) => {
        if (it?.status === '0x1') return 'accepted'
        return decodeErrorResult({ abi, data: it?.returnData ?? '0x' }).errorName
      })
      const line = ({ call, jobId, caller }: Attempt, outcome: string | undefined) => `${caller} ${call} ${jobId}: ${outcome}`
      expect(attempts.map((it, index) => line(it, outcomes[index]))).toEqual(attempts.map(it => line(it, it.outcome)))
      expect(told.at(-1)?.map((it, index) => readings[index]?.read(it.returnData))).toEqual(toReadings(model))
      for (const { call, outcome } of attempts) if (outcome === 'accepted') accepted[call] = (accepted[call] ?? 0) + 1
    }),
    { numRuns },
  )
  // Every call must have been accepted at least once, or the sequences prove nothing.
  const ends = ['claimRefund', 'complete', 'completeUsed']
  const calls = [...ends, 'createAndFund', 'createJob', 'fund', 'reject', 'setBudget', 'setProvider', 'submit']
  expect(Object.keys(accepted).sort()).toEqual(calls)
}, 600_000)
