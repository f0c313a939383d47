import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { plain } from '../hire/market.ts'
import { startTestService, type TestService } from '../service.ts'
import { start } from './program.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

test('market agent test sends the last agent a test job, prints its times and checks, and exits with 1 when it does not pass', async () => {
  const owner = await market.user('owner')
  const handler = ({ text }: { text: string }) => (text === 'a pond' ? 'A frog jumps in' : text)
  const given = { handle: 'poet', offerings: [plain('0.5', { examples: ['a pond'] })], handler }
  const agent = await market.agent({ ...given, credential: { token: owner.token } })
  const env = {
    SERVICE_ENDPOINT: market.url,
    SERVICE_PROXY_AUTH: owner.token,
    XDG_CONFIG_HOME: market.dir,
    AGENT_ID: agent.agentId(),
  }
  const runTest = async (...args: string[]) => {
    const { code, out, err } = await start(['agent', 'test', ...args], { env }).ended
    return { code, out, err }
  }
  const shown = await runTest()
  expect(shown.out).toMatch(
    /Sent plain: a pond[\s\S]*Picked up after \d+ ms\.[\s\S]*A frog jumps in[\s\S]*Passes 2 of 2 checks\./,
  )
  expect(shown.code).toBe(0)
  // The handler repeats any other input, which is no deliverable.
  const { code, out } = await runTest('plain', '--input', 'a river', '--json')
  const record = z.looseObject({ state: z.string(), input: z.string(), passes: z.number() }).parse(JSON.parse(out.trim()))
  expect([code, record]).toMatchObject([
    1,
    { state: 'failed', input: 'a river', passes: 1, checks: [{}, { id: 'not-input', outcome: 'fail' }] },
  ])
  expect((await runTest('sonnet')).err).toContain('No such offering.')
})
