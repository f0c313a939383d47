import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../service.ts'

// The protocol's own scenarios. The others need tools, resources and prompts with given names, made for the scenario.
const scenarios = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection']

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

const program = join(import.meta.dirname, '../../node_modules/.bin/conformance')

test.concurrent.each(scenarios)('the conformance scenario %s passes', async scenario => {
  const child = spawn(program, ['server', '--url', `${market.url}/mcp`, '--scenario', scenario], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await once(child, 'close')
  expect(code, (await said).join('\n')).toBe(0)
})
