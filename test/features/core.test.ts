import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { assemble } from '../../src/assemble.ts'
import { features } from '../../src/features/features.ts'
import { coreRoutes } from '../../src/http/routes.ts'
import type { RunningAgent } from '../../src/kit/kit.ts'
import { balancesOf, pathOf, paymentsOf, talk, walletOf } from '../hire/market.ts'
import { get } from '../http/wire.ts'
import { startTestService, type TestService } from '../service.ts'

let market: TestService
let clock: RunningAgent
beforeAll(async () => {
  market = await startTestService({ features: [] })
  clock = await market.cityClock()
})
afterAll(() => market?.stop())

const jobs = z.array(z.object({ job_id: z.string(), status: z.string() }))

test('without any feature a sentence and a yes end with USDC in the agent wallet', async () => {
  const ada = await market.user('ada')
  const agent = await walletOf(ada, clock.agentId())
  const { say } = talk(ada)
  const asked = await say('What time is it in Tokyo?')
  expect(asked).toMatchObject({ data: { state: 'awaiting-confirmation', proposal: { total: '0.05' } } })
  const { run_id } = await say('yes')
  expect(await pathOf(ada, run_id)).toEqual(['open', 'escrowed', 'queued', 'leased', 'submitted', 'settling', 'settled'])
  expect(await balancesOf(ada, { agent })).toMatchObject({ user: 24.95, agent: 0.05, escrow: 0 })
  expect((await paymentsOf(ada, run_id)).map(it => it.type)).toEqual(['escrow', 'payout'])

  const [hired] = jobs.parse(await ada.client.get('/my-jobs'))
  expect(hired).toMatchObject({ status: 'completed' })
  expect(await ada.client.get(`/v1/jobs/${hired?.job_id}`)).toMatchObject({ status: 'completed' })
})

const samplePath = (path: string) => path.replace(/\{\w+\}/g, 'sample')

test('without any feature their routes do not exist, and those of the core do', async () => {
  const added = assemble(features).routes.slice(coreRoutes.length)
  expect(added.length).toBeGreaterThan(0)
  for (const { method, path } of added) {
    if (coreRoutes.some(it => it.path === path)) continue
    const response = await fetch(`${market.url}${samplePath(path)}`, { method })
    expect(`${method} ${path} ${response.status}`).toMatch(/ (404|405)$/)
  }
  const { paths } = z.object({ paths: z.record(z.string(), z.unknown()) }).parse((await get(market.url, '/openapi.json')).json)
  expect(Object.keys(paths).toSorted()).toEqual([...new Set(coreRoutes.map(it => it.path))].toSorted())
})

test('a feature does not start without one that it needs', () => {
  const names = { name: 'lonely', needs: ['absent'] }
  expect(() => assemble([names])).toThrow('The feature lonely needs absent.')
})
