import { MemorySaver } from '@langchain/langgraph'
import { afterEach, expect, test } from 'vitest'
import { createButler } from '../../graphs/butler/advance.ts'
import { closeJob } from '../../src/operations/hires/closeJob.ts'
import type { Butler } from '../../src/ports.ts'
import { eight, eightAgents } from './eightSteps.ts'
import { workKilledAt } from './killedAt.ts'
import { type Market, openPlanWorld, start } from './planWorld.ts'

let market: Market
afterEach(() => market?.close())

const results: Record<string, string> = {
  weather: '{"forecast":"rain"}',
  sum: '{"summary":"wet"}',
  translate: '{"translation":"mouillé"}',
  clock: '{"time":"10:00"}',
}

/** Every agent takes its jobs and delivers; nobody can tell the weather in Oslo. */
const serve = async (it: Market): Promise<void> => {
  for (const [name, deliverable] of Object.entries(results)) {
    for (let job = await it.store.leaseJob(it.agentOf(name).id); job; job = await it.store.leaseJob(it.agentOf(name).id)) {
      if (job.terms.input.includes('Oslo')) await closeJob(it.deps, { job, event: 'fail', reason: 'It cannot.' })
      else await it.store.moveJob(job.id, 'submit', { deliverable })
    }
  }
}

const mostRounds = 40

const until = async (it: Market, work: () => Promise<void>) => {
  for (let round = 0; round < mostRounds && (await it.record()).state !== 'completed'; round += 1) {
    await work()
    await it.pump()
    await serve(it)
  }
}

/** Three steps in a row and three others are paid, one is refunded, and the one that needs it never opens. */
const checkEnd = async (it: Market, what: unknown) => {
  const done = await it.record()
  expect([what, done.plan?.state, done.plan?.paid, done.plan?.refunded]).toEqual([what, 'ended', '1.2', '0.2'])
  const states = done.plan?.steps.map(step => step.state)
  expect([what, states]).toEqual([what, ['paid', 'paid', 'paid', 'paid', 'paid', 'paid', 'refunded', 'skipped']])
  const jobs = await it.store.jobs({ limit: 20, offset: 0 })
  expect([what, jobs.map(job => job.runId).sort()]).toEqual([what, [1, 2, 3, 4, 5, 6, 7].map(number => `run-1_${number}`)])
  expect([what, await it.balance(it.userWallet)]).toEqual([what, start - 1_200_000n])
}

const sayYes = async (it: Market) => {
  const { interruptId = '', proposal } = (await it.store.run('run-1')) ?? {}
  const digest = proposal?.digest ?? ''
  await it.store.addRunInput('run-1', interruptId, { kind: 'decision', decision: 'yes', digest, text: 'yes' })
}

/** Odd, so that a process dies before and after the effects of its calls by turns. */
const stride = 29

test('a plan of eight steps killed at any point ends with each step paid once, refunded once or never opened', {
  timeout: 600_000,
}, async () => {
  let isAlive = false
  for (let most = 1; !isAlive; most += stride) {
    market = await openPlanWorld(eightAgents)
    const { work, isDead } = workKilledAt(market, most)
    await market.run('run-1', eight)
    await work()
    await sayYes(market)
    await until(market, work)
    await checkEnd(market, most)
    isAlive = !isDead()
    await market.close()
  }
  market = await openPlanWorld()
})

test('two processes that advance a plan of eight steps at once open each step once', { timeout: 120_000 }, async () => {
  market = await openPlanWorld(eightAgents)
  const processes: Butler[] = [market.butler, createButler(market.butlerDeps, new MemorySaver())]
  await market.run('run-1', eight)
  await market.work()
  await sayYes(market)
  const wakeAll = async () => {
    const { steps = [] } = (await market.store.plan('run-1')) ?? {}
    const runs = steps.flatMap(it => it.tries.flatMap(one => (one.hasEnded ? [] : [one.runId])))
    for (const id of ['run-1', ...runs]) await market.store.wakeRun(id)
  }
  const advance = async (butler: Butler) => {
    for (const { run, lease } of await market.store.claimRuns(60_000, 16))
      await market.store.releaseRun(run.id, lease, await butler.advance(run, lease))
  }
  await until(market, async () => {
    await Promise.all(processes.map(advance))
    await wakeAll()
    await Promise.all(processes.toReversed().map(advance))
  })
  await checkEnd(market, 'two processes')
})
