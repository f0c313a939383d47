import { afterAll, beforeAll, expect, test } from 'vitest'
import { problems } from '../../src/domain/problem.ts'
import { routes } from '../assembled.ts'
import { startTestService, type TestService } from '../service.ts'
import { get } from './wire.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

test('every problem type links to the page that explains it, and every such page has a problem type', async () => {
  for (const name of Object.keys(problems)) {
    const { status, text, headers } = await get(market.url, `/problems/${name}`)
    expect([name, status, headers['content-type']]).toEqual([name, 200, 'text/html; charset=UTF-8'])
    expect(text).toContain(`id="${name}"`)
  }
  expect((await get(market.url, '/problems/none')).status).toBe(404)
})

test('the reference lists every route and loads nothing from other hosts', async () => {
  const { text, headers } = await get(market.url, '/reference')
  for (const { method, path } of routes) expect(text).toContain(`${method.toUpperCase()} ${path}`)
  expect(text).not.toMatch(/https?:\/\/(?!127\.0\.0\.1|json-schema\.org|eips\.ethereum\.org)/)
  expect(text).not.toContain('<script')
  expect(headers['content-security-policy']).toContain("default-src 'none'")
})
