import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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

const findings = z.object({ findings: z.array(z.looseObject({ check: z.string(), level: z.string(), words: z.string() })) })

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
  const tested = async () =>
    findings.parse(await owner.client.get('/agents/poet/diagnosis')).findings.find(it => it.check === 'tested')
  expect(await tested()).toMatchObject({ level: 'warning', words: 'No test job ended in the last 24 hours.' })
  const runTest = async (...args: string[]) => {
    const { code, out, err } = await start(['agent', 'test', ...args], { env }).ended
    return { code, out, err }
  }
  const shown = await runTest()
  expect(shown.out).toMatch(
    /Sent plain: a pond[\s\S]*Picked up after \d+ ms\.[\s\S]*A frog jumps in[\s\S]*Passes 2 of 2 checks\./,
  )
  expect(shown.code).toBe(0)
  expect(await tested()).toMatchObject({ level: 'ok' })
  // The handler repeats any other input, which is no deliverable.
  const { code, out } = await runTest('plain', '--input', 'a river', '--json')
  const record = z.looseObject({ state: z.string(), input: z.string(), passes: z.number() }).parse(JSON.parse(out.trim()))
  expect([code, record]).toMatchObject([
    1,
    { state: 'failed', input: 'a river', passes: 1, checks: [{}, { id: 'not-input', outcome: 'fail' }] },
  ])
  expect(await tested()).toMatchObject({ level: 'warning', words: expect.stringContaining('failed') })
  expect((await runTest('sonnet')).err).toContain('No such offering.')
})

test('market agent register registers the JSON of a file, stores the id, and changes the registration the next time', async () => {
  const owner = await market.user('registrant')
  const env = { SERVICE_ENDPOINT: market.url, SERVICE_PROXY_AUTH: owner.token, XDG_CONFIG_HOME: join(market.dir, 'registrant') }
  const file = join(market.dir, 'agent.json')
  const registerWith = async (description: string) => {
    await writeFile(file, JSON.stringify({ handle: 'elsewhere', description, job_offerings: [] }))
    const { code, out } = await start(['agent', 'register', file, '--json'], { env }).ended
    const said = z.looseObject({ agent_id: z.string() }).parse(JSON.parse(out.trim().split('\n').at(-1) ?? ''))
    return { code, id: said.agent_id }
  }
  const first = await registerWith('One')
  expect(first.code).toBe(0)
  expect(await registerWith('Two')).toEqual(first)
  // Without a name, the stored id is shown.
  const { out } = await start(['agent', 'show', '--json'], { env }).ended
  expect(JSON.parse(out)).toMatchObject({ agent_id: first.id, description: 'Two' })
  await writeFile(file, '[]')
  expect((await start(['agent', 'register', file], { env }).ended).err).toContain('must contain a JSON object')
})
