import { expect, onTestFinished, test } from 'vitest'
import { Problem, type ProblemName } from '../../../src/domain/problem.ts'
import { type Listed, outsideTables } from '../../../src/features/outside/ports.ts'
import { probeListings } from '../../../src/features/outside/probeListings.ts'
import { createTestClock, startTestService, type TestService, until } from '../../service.ts'
import { account } from '../../store/rows.ts'
import { startStalls } from './sellers.ts'

const catalogue = 'http://catalogue.test/resources'
const payTo = account(5)
const hosts = 5
const minute = 60_000

/** Sellers at addresses of their own, which a worker of this test checks. `cut` silences those of these numbers. */
const open = async () => {
  const started = Promise.withResolvers<TestService>()
  const ids = Array.from({ length: hosts }, (_, at) => `${at}`)
  const listed = { amount: 10_000n, payTo }
  const stalls = ids.map(id => ({ id, description: `Stall ${id}`, listed, asks: () => listed }))
  const shop = await startStalls(stalls, started.promise)
  onTestFinished(async () => void (await shop.stop()))
  const clock = createTestClock()
  const market = await startTestService({ clock })
  onTestFinished(() => market.stop())
  started.resolve(market)
  const { deps } = market.service.world
  const tables = outsideTables(deps.store)
  const asset = deps.chains.get(97)?.addresses.usdc
  const toListed = (id: string): Listed => ({
    ...{ url: `${shop.url}/r/${id}`, target: id, method: 'GET', host: `stall-${id}.test`, name: id, description: id },
    ...{ example: undefined, requirement: {}, chainId: 97, asset, payTo, amount: 10_000n, scheme: 'exact', refusal: '' },
  })
  await tables.openCatalogues([catalogue])
  await tables.keepPage({ catalogue, pass: 1, page: 0, listed: ids.map(toListed) })
  let silent: string[] = []
  let refusal: ProblemName = 'agent-unreachable'
  let ended = 0
  const ask: typeof deps.resources.ask = async (request, signal) => {
    if (silent.some(id => request.url.endsWith(`/r/${id}`))) throw new Problem(refusal, 'no answer')
    return deps.resources.ask(request, signal)
  }
  const notify = () => {
    ended += 1
  }
  const wakeups = { ...deps.wakeups, notify }
  const worker = probeListings({ ...deps, wakeups, resources: { ...deps.resources, ask } }, { perMinute: 1_000 })
  const check = async (afterMs: number) => {
    clock.advance(afterMs, deps.wakeups)
    // What a check makes due is checked by the next step.
    for (let step = 0; step < 3; step += 1) {
      const due = await tables.dueProbes({ ofHost: 1, limit: hosts })
      const all = ended + due.length
      await worker.runOnce()
      await until('the checks', async () => ended === all)
    }
    return (await tables.changedListings(0, hosts)).filter(it => it.isShown).map(it => it.name)
  }
  const cut = (of: string[], how: ProblemName = 'agent-unreachable') => {
    silent = of
    refusal = how
  }
  return { check, ids, cut }
}

test('after an outage of the own network of less than an hour every seller is shown again within a minute', async () => {
  const { check, ids, cut } = await open()
  expect((await check(0)).toSorted()).toEqual(ids)
  cut(ids)
  for (let at = 0; at < 5; at += 1) await check(11 * minute)
  cut([])
  expect((await check(minute)).toSorted()).toEqual(ids)
})

test('a seller that is away by itself is not shown, and is checked after a pause', async () => {
  const { check, ids, cut } = await open()
  expect((await check(0)).toSorted()).toEqual(ids)
  cut(['1', '2', '3'])
  expect((await check(11 * minute)).toSorted()).toEqual(['0', '4'])
  cut([])
  expect((await check(minute)).toSorted()).toEqual(['0', '4'])
  expect((await check(21 * minute)).toSorted()).toEqual(ids)
})

test('sellers that are silent for more than an hour are not shown, also where nobody else is listed', async () => {
  const { check, ids, cut } = await open()
  cut(ids.slice(3))
  expect((await check(0)).toSorted()).toEqual(ids.slice(0, 3))
  cut(ids)
  // The third silent host tells the outage, so its own check is the first that counts nothing.
  for (let at = 0; at < 5; at += 1) expect(await check(11 * minute)).toHaveLength(1)
  await check(20 * minute)
  expect(await check(minute)).toEqual([])
})

test('sellers whose address is not allowed are not shown, however many they are', async () => {
  const { check, ids, cut } = await open()
  expect((await check(0)).toSorted()).toEqual(ids)
  cut(ids, 'endpoint-not-allowed')
  expect(await check(11 * minute)).toEqual([])
})
