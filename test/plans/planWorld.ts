import { MemorySaver } from '@langchain/langgraph'
import { createButler } from '../../graphs/butler/advance.ts'
import type { Offering } from '../../src/domain/offerings/offering.ts'
import { closeJob } from '../../src/operations/hires/closeJob.ts'
import { readRunRecord } from '../../src/operations/runs/runRecord.ts'
import type { Butler, Run } from '../../src/ports.ts'
import { offering } from '../store/rows.ts'
import { openWorld, user } from '../world.ts'

const input = (name: string, description: string) => ({
  type: 'object',
  required: [name],
  properties: { [name]: { type: 'string', description } },
  additionalProperties: false,
})

/** Offerings of the golden plans. What each takes and delivers decides which results can flow on. */
export const offers = {
  clock: offering({
    ...{ id: 'time', name: 'Local time', description: 'Tells the current time in a city.', price: '0.1', slaMinutes: 9 },
    requirement: input('city', 'the city'),
    deliverable: { type: 'object', required: ['time'], properties: { time: { type: 'string' } } },
  }),
  weather: offering({
    ...{ id: 'weather', name: 'Weather', description: 'Tells the weather forecast of a city.', price: '0.2', slaMinutes: 9 },
    requirement: input('city', 'the city'),
    deliverable: { type: 'object', required: ['forecast'], properties: { forecast: { type: 'string' } } },
  }),
  summarizer: offering({
    ...{ id: 'sum', name: 'Summarize text', description: 'Summarizes a text in a few words.', price: '0.3', slaMinutes: 9 },
    requirement: input('text', 'the text to summarize'),
    deliverable: { type: 'object', required: ['summary'], properties: { summary: { type: 'string' } } },
  }),
  translator: offering({
    ...{ id: 'translate', name: 'Translate text', description: 'Translates a text into French.', price: '0.4', slaMinutes: 9 },
    requirement: input('text', 'the text to translate'),
    deliverable: { type: 'object', required: ['translation'], properties: { translation: { type: 'string' } } },
  }),
} satisfies Record<string, Offering>

export type Market = Awaited<ReturnType<typeof openPlanWorld>>
export const start = 100_000_000n

/** The world with agents by name, a funded user, and workers that a test drives by hand. */
export const openPlanWorld = async (agents: Partial<Record<string, Offering[]>> = {}) => {
  const world = await openWorld({ feeBps: 200 })
  const byName = new Map<string, Awaited<ReturnType<typeof world.agent>>>()
  for (const [name, own] of Object.entries(agents)) byName.set(name, await world.agent(name, own ?? []))
  world.fund(world.userWallet, start)
  const saver = new MemorySaver()
  const butler = createButler(world.butlerDeps, saver)
  const { store } = world

  const runOf = async (id: string): Promise<Run> => (await store.run(id)) ?? Promise.reject(new Error(`no run ${id}`))
  /** Advances woken runs until none is left, as the worker does. */
  const work = async (by: Butler = butler): Promise<void> => {
    for (;;) {
      const claimed = await store.claimRuns(60_000, 16)
      if (claimed.length === 0) return
      for (const { run, lease } of claimed) await store.releaseRun(run.id, lease, await by.advance(run, lease))
    }
  }
  const settle = async () => {
    await work()
    await world.pump()
    await work()
    await world.pump()
    await work()
  }
  const record = async (id = 'run-1') => readRunRecord(world.deps, await runOf(id))
  const answer = async (text: string, over: { digest?: string; id?: string } = {}) => {
    const { interruptId = '', proposal, state } = await runOf(over.id ?? 'run-1')
    const isTerms = state === 'awaiting-confirmation'
    await store.addRunInput(
      over.id ?? 'run-1',
      interruptId,
      isTerms && (text === 'yes' || text === 'no')
        ? { kind: 'decision', decision: text, digest: over.digest ?? proposal?.digest ?? '', text }
        : { kind: 'said', text, digest: proposal?.digest ?? '', isLapsed: false, mayAgree: true },
    )
    await work()
    return record(over.id)
  }

  return {
    ...world,
    user,
    butler,
    saver,
    work,
    settle,
    record,
    answer,
    agentOf: (name: string) => byName.get(name) ?? { id: '', key: '', wallet: '0x' as const },
    async ask(task: string, id = 'run-1') {
      await world.run(id, task)
      await work()
      return record(id)
    },
    /** The agent takes its next job and delivers. Returns what it was given. */
    async deliver(name: string, deliverable: unknown) {
      await settle()
      const job = await store.leaseJob(byName.get(name)?.id ?? '')
      if (!job) throw new Error(`${name} has no job`)
      const text = typeof deliverable === 'string' ? deliverable : JSON.stringify(deliverable)
      await store.moveJob(job.id, 'submit', { deliverable: text })
      await settle()
      return job.terms.input
    },
    /** The agent takes its next job and says that it cannot do it. */
    async fail(name: string) {
      await settle()
      const job = await store.leaseJob(byName.get(name)?.id ?? '')
      if (!job) throw new Error(`${name} has no job`)
      await closeJob(world.deps, { job, event: 'fail', reason: 'It cannot.' })
      await settle()
    },
    balance: (of: `0x${string}`) => world.chain.usdcBalance(of),
  }
}
