import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../service.ts'

/** The scenarios of the official suite that apply, by protocol version. The others need tools, resources and prompts made for them. */
const scenarios = Object.entries({
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection'],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
    'server-sse-multiple-streams',
    'caching',
    'http-header-validation',
    'sep-2164-resource-not-found',
    'input-required-result-unsupported-methods',
  ],
}).flatMap(([version, names]) => names.map(name => [version, name] as const))

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

const program = join(import.meta.dirname, '../../node_modules/.bin/conformance')

/** Runs a scenario. @returns its exit code and what it printed */
const run = async (version: string, scenario: string) => {
  const args = ['server', '--url', `${market.url}/mcp`, '--scenario', scenario, '--spec-version', version]
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await once(child, 'close')
  return { code, printed: (await printed).join('\n') }
}

test.concurrent.each(scenarios)('for MCP %s the conformance scenario %s passes', async (version, scenario) => {
  const { code, printed } = await run(version, scenario)
  expect(code, printed).toBe(0)
})

test('for MCP 2026-07-28 each stateless check passes that needs no tool of the suite', async () => {
  const { printed } = await run('2026-07-28', 'server-stateless')
  const failed = printed.split('\n').filter(it => it.includes('Error:'))
  expect(printed).toContain('Passed: 24/28')
  expect(failed.filter(it => !it.includes("does not list the diagnostic tool '"))).toEqual([])
})
