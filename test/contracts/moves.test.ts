import { afterAll, beforeAll, expect, test } from 'vitest'
import { budget, deliverable, fundedJob, openJob, reason, submittedJob } from './hires.ts'
import { people, refusal, startWorld, type World } from './world.ts'

const { client, provider, evaluator, stranger } = people
const parties = { client, provider, evaluator, stranger }
type Party = keyof typeof parties

/** The allowed calls and callers in every state on chain, before and after the expiry. All other calls are refused. */
const allowed: Record<string, Partial<Record<string, Party[]>>> = {
  open: { setBudget: ['client', 'provider'], fund: ['client'], reject: ['client'] },
  funded: { submit: ['provider'], reject: ['evaluator'] },
  submitted: { complete: ['evaluator'], completeUsed: ['evaluator'], reject: ['evaluator'] },
  completed: {},
  rejected: {},
  openTooOld: { setBudget: ['client', 'provider'], reject: ['client'] },
  fundedTooOld: { reject: ['evaluator'], claimRefund: ['client', 'provider', 'evaluator', 'stranger'] },
  submittedTooOld: {
    complete: ['evaluator'],
    completeUsed: ['evaluator'],
    reject: ['evaluator'],
    claimRefund: ['client', 'provider', 'evaluator', 'stranger'],
  },
  expired: {},
}

let world: World
const jobs = new Map<string, bigint>()

beforeAll(async () => {
  world = await startWorld()
  const { escrow, mined } = world
  const addJobs = async (suffix: string) => {
    jobs.set(`open${suffix}`, await openJob(world))
    jobs.set(`funded${suffix}`, await fundedJob(world))
    jobs.set(`submitted${suffix}`, await submittedJob(world))
  }
  await addJobs('TooOld')
  const completed = await submittedJob(world)
  await mined(escrow.write.complete([completed, reason, '0x'], { account: evaluator }))
  const rejected = await fundedJob(world)
  await mined(escrow.write.reject([rejected, reason, '0x'], { account: evaluator }))
  const expired = await fundedJob(world)
  await world.warp((await world.now()) + 7_200n)
  await mined(escrow.write.claimRefund([expired], { account: stranger }))
  jobs.set('completed', completed).set('rejected', rejected).set('expired', expired)
  await addJobs('')
})
afterAll(() => world.stop())

const tries = (jobId: bigint, account: (typeof parties)[Party]) => ({
  setProvider: () => world.escrow.simulate.setProvider([jobId, stranger.address, '0x'], { account }),
  setBudget: () => world.escrow.simulate.setBudget([jobId, budget, '0x'], { account }),
  fund: () => world.escrow.simulate.fund([jobId, budget, '0x'], { account }),
  submit: () => world.escrow.simulate.submit([jobId, deliverable, '0x'], { account }),
  complete: () => world.escrow.simulate.complete([jobId, reason, '0x'], { account }),
  completeUsed: () => world.escrow.simulate.completeUsed([jobId, 1n, reason], { account }),
  reject: () => world.escrow.simulate.reject([jobId, reason, '0x'], { account }),
  claimRefund: () => world.escrow.simulate.claimRefund([jobId], { account }),
})

test.each(Object.keys(allowed))('in state %s each call is allowed for exactly the parties of the table', async state => {
  const jobId = jobs.get(state) ?? 0n
  const accepted: Partial<Record<string, string[]>> = {}
  for (const party of ['client', 'provider', 'evaluator', 'stranger'] as const) {
    for (const [call, attempt] of Object.entries(tries(jobId, parties[party]))) {
      if ((await refusal(attempt())) === 'accepted') accepted[call] = [...(accepted[call] ?? []), party]
    }
  }
  expect(accepted).toEqual(allowed[state])
})

test('the contract holds exactly the budgets of its funded and submitted jobs', async () => {
  const running = ['funded', 'submitted', 'fundedTooOld', 'submittedTooOld']
  expect(await world.token.read.balanceOf([world.escrow.address])).toBe(budget * BigInt(running.length))
})
