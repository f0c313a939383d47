import fc from 'fast-check'
import { afterAll, expect, test, vi } from 'vitest'
import { expectSettledOnce } from './books.ts'
import type { Effect } from './crash.ts'
import { openMarket } from './market.ts'
import { task } from './provider.ts'

// Each test is two or three services, each with a chain beside it.
vi.setConfig({ maxConcurrency: 2, testTimeout: 90_000 })

/** Rounds beyond the named moments, each killed twice at counted calls; continuous integration asks for some. */
const rounds = Number(process.env.FAULT_ROUNDS ?? 0)
const seed = Number(process.env.FAULT_SEED ?? 1)
const recoveries: { servedMs: number; settledMs: number }[] = []

const open = async (...given: Parameters<typeof openMarket>) => {
  const market = await openMarket(...given)
  const before = { proxy: market.user.proxy, ...(await market.user.balance()) }

  /** Starts the service again, once killed; the hire that was said to it has to end as if nothing had happened. */
  const recover = async (hire: () => Promise<{ runId: string; state: string }>) => {
    const { begunAt, url } = await market.restart()
    const served = url.then(() => performance.now() - begunAt)
    const { runId, state } = await hire()
    expect(state).toBe('completed')
    const settledMs = performance.now() - begunAt
    recoveries.push({ servedMs: await served, settledMs })
    expect(await market.stop()).toEqual({ code: 0, signal: null, words: '' })
    await expectSettledOnce(market.dir, runId, before)
  }
  return { ...market, recover }
}

test.concurrent('killed when the proposal is shown, the yes to it still counts, and the job ends settled once', async ({
  onTestFinished,
}) => {
  const { user, kill, recover } = await open(onTestFinished)
  const shown = await user.say(task)
  kill()
  await recover(() => user.confirm(shown))
})

const moments: [string, Effect][] = [
  ['the escrow is funded', 'funded'],
  ['the job is leased', 'leased'],
  ['the deliverable is stored', 'stored'],
  ['the settle transaction is sent', 'sent'],
]
const moreMoments: [string, Effect][] = [
  ['the proposal is told and its run still at work', 'proposed'],
  ['the settle transaction is signed and not yet sent', 'signed'],
  ['the payment is on the chain and not yet in the books', 'paid'],
]
for (const [moment, after] of rounds > 0 ? [...moments, ...moreMoments] : moments)
  test.concurrent(`killed when ${moment}, the job ends settled once`, async ({ onTestFinished }) => {
    const { user, recover } = await open(onTestFinished, { after })
    const hired = user.say(task).then(user.confirm)
    await recover(() => hired)
  })

/** About as many calls of the ports as a hire takes from the task to its end. */
const callsOfHire = 200
const callsOfRecovery = 100
const toWords = (at: { side: string; call: number }) => `${at.side} call ${at.call} of the ports`
const side = fc.constantFrom('before' as const, 'after' as const)
const twoKills = fc.tuple(
  fc.record({ call: fc.noBias(fc.integer({ min: 1, max: callsOfHire })), side, since: fc.constant('task' as const) }),
  fc.record({ call: fc.noBias(fc.integer({ min: 1, max: callsOfRecovery })), side, since: fc.constant('start' as const) }),
)

for (const [first, second] of fc.sample(twoKills, { seed, numRuns: rounds }))
  test.concurrent(`killed ${toWords(first)} of a hire and again ${toWords(second)} of its recovery, the job ends settled once`, async ({
    onTestFinished,
  }) => {
    const { user, restart, recover } = await open(onTestFinished, first)
    const hired = user.say(task).then(user.confirm)
    await restart(second)
    await recover(() => hired)
  })

afterAll(() => {
  const range = (name: keyof (typeof recoveries)[number]) => {
    const all = recoveries.map(it => it[name] / 1_000).sort((a, b) => a - b)
    return `${all.at(0)?.toFixed(1)} to ${all.at(-1)?.toFixed(1)} s`
  }
  process.stdout.write(
    `after ${recoveries.length} kills: serving ${range('servedMs')}, settled ${range('settledMs')} after the start\n`,
  )
})
