import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestService, type TestService } from '../service.ts'
import { get } from './wire.ts'

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
