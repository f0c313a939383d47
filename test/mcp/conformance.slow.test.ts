import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../service.ts'

// The scenarios of the official conformance suite that apply. The others require tools, resources and prompts made for them.
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
