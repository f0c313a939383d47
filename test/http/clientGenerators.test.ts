import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestService, type TestService } from '../service.ts'
import { get, send } from './wire.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

const document = z.object({ components: z.object({ schemas: z.record(z.string(), z.unknown()) }) })

test('no schema of the OpenAPI document refers to itself, because client generators create types from it that do not compile', async () => {
  const { schemas } = document.parse((await get(market.url, '/openapi.json')).json).components
  const referred = (name: string) =>
    [...JSON.stringify(schemas[name] ?? {}).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, to = '']) => to)
  const reached = (name: string, seen = new Set<string>()): Set<string> => {
    for (const to of referred(name))
      if (!seen.has(to)) {
        seen.add(to)
        reached(to, seen)
      }
    return seen
  }
  expect(Object.keys(schemas).length).toBeGreaterThan(100)
  expect(Object.keys(schemas).filter(name => reached(name).has(name))).toEqual([])
})

test('one credential in both headers, as generated clients send it, is accepted, and a wrong one still refused', async () => {
  const owner = await market.user('owner')
  const registered = z.object({ agent_id: z.string() })
  const body = { handle: 'generated', chain_id: 97, job_offerings: [] }
  const agent = registered.parse(await owner.client.post('/agents/register', body)).agent_id
  const { secret } = z.object({ secret: z.string() }).parse(await owner.client.post(`/agents/${agent}/secret`, {}))
  const pollWith = async (bearer: string, named: string) =>
    (
      await send(market.url, {
        path: `/gateway/jobs/poll?agent=${agent}`,
        headers: { authorization: `Bearer ${bearer}`, 'x-agent-secret': named },
      })
    ).status
  expect(await pollWith(owner.token, owner.token)).toBe(200)
  expect(await pollWith(secret, secret)).toBe(200)
  expect(await pollWith(owner.token, `${owner.token}x`)).toBe(401)
  expect(await pollWith(`${secret}x`, `${secret}x`)).toBe(401)
})
