import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../../src/config.ts'
import { parseJson } from '../../src/domain/json.ts'
import { startService } from '../../src/service.ts'
import { get, untilFindable } from '../http/wire.ts'
import { startTestService, type TestService, until } from '../service.ts'
import { demoProgram, processesWith, start } from './program.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
  await market.cityClock()
  await untilFindable(market.url, 'time in Tokyo', 'city-clock')
})
afterAll(() => market?.stop())

test('chat over pipes greets, shows the proposal, hires after a yes, and shows the deliverable', async () => {
  const env = { SERVICE_ENDPOINT: market.url, DATA_DIR: market.dir }
  const { code, out, err } = await start(['chat'], { env, input: 'What time is it in Tokyo?\n\nyes\nquit\nnever said\n' }).ended
  expect([code, err]).toEqual([0, ''])
  const spoken = out.split(/^(?=you> |butler> )/m)
  expect(spoken.map(it => it.split('\n')[0])).toEqual([
    expect.stringMatching(/^Your butler is listening/),
    'you> What time is it in Tokyo?',
    expect.stringMatching(/^butler> I propose to hire City Clock/),
    'you> yes',
    'butler> city-clock delivered:',
    'you> quit',
  ])
  expect(out).toContain('You pay    0.05 USDC in escrow')
  expect(out).toMatch(/Time ?zone: Asia\/Tokyo/i)
})

test('a resumed chat shows the last messages and continues the same conversation', async () => {
  const env = { SERVICE_ENDPOINT: market.url, DATA_DIR: market.dir }
  await start(['chat'], { env, input: 'What time is it in Lima?\n' }).ended
  const { code, out } = await start(['chat', '--resume'], { env, input: 'yes\n' }).ended
  expect(code).toBe(0)
  expect(out).toMatch(/you> What time is it in Lima\?[\s\S]*Your butler is listening[\s\S]*you> yes[\s\S]*city-clock delivered:/)
  expect(out).not.toContain('\u001b')
})

test('chat without a running service prints one line that says what to do', async () => {
  const env = { SERVICE_ENDPOINT: 'http://127.0.0.1:9', DATA_DIR: market.dir }
  const { code, out, err } = await start(['chat'], { env }).ended
  expect([code, out, err]).toEqual([1, '', 'No service answers at http://127.0.0.1:9. Start one with: npm start\n'])
})

test('a service whose port or data folder is in use does not start and says why', async () => {
  const { port } = new URL(market.url)
  const begin = (env: Record<string, string>) => startService({ config: readConfig({ LOG_LEVEL: 'error', ...env }) })
  await expect(begin({ PORT: port, DATA_DIR: join(market.dir, 'other') })).rejects.toThrow(
    `Another process already listens on 127.0.0.1:${port}. Stop it, or set PORT to another port.`,
  )
  await expect(begin({ PORT: '0', DATA_DIR: market.dir })).rejects.toThrow(/^The store .+ is in use/)
})

test('an agent whose parent process is gone ends by itself', async () => {
  const { child, ended } = start(['text-digest', '--platform', market.url, '--keys', join(market.dir, 'keys')], {
    ipc: true,
    file: demoProgram,
  })
  const agents = z.object({ data: z.array(z.object({ handle: z.string() })) })
  const isIn = async () => agents.parse((await get(market.url, '/agents')).json).data.some(it => it.handle === 'text-digest')
  await until('the agent to be registered', isIn)
  child.disconnect()
  expect((await ended).code).toBe(0)
})

test('an agent whose parent process is gone before the platform answered ends too', async () => {
  // A platform that accepts connections and never answers.
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const asked = once(silent, 'connection')
  const { port } = z.object({ port: z.number() }).parse(silent.address())
  const { child, ended } = start(['city-clock', '--platform', `http://127.0.0.1:${port}`, '--keys', market.dir], {
    ipc: true,
    file: demoProgram,
  })
  await asked
  child.disconnect()
  expect((await ended).code).toBe(0)
  silent.close()
})

const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/)

test('demo --json prints only the documented object on the last line, and leaves no process or file behind', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'marketplace-cli-'))
  const { code, out, err } = await start(['demo', '--json'], { env: { TMPDIR: dir, PORT: '1' } }).ended
  expect([code, err]).toEqual([0, ''])
  const [last = ''] = out.trimEnd().split('\n').slice(-1)
  const result = parseJson(last)
  expect(result).toEqual({
    run_id: expect.stringMatching(/^run_/),
    job_id: expect.stringMatching(/^job_/),
    state: 'settled',
    amount: '0.05',
    agent_id: expect.stringMatching(/^97:0x[0-9a-f]{40}:\d+$/),
    transactions: { createJob: hash, setBudget: hash, fund: hash, submit: hash, complete: hash },
    balances: { user: { before: '25', after: '24.95' }, agent: { before: '0', after: '0.05' }, escrow: { after: '0' } },
    total_supply: { before: '25', after: '25' },
    seconds: expect.any(Number),
  })
  expect(await readdir(dir)).toEqual([])
  await until('every process of the demo to be gone', async () => processesWith(`TMPDIR=${dir}`)?.length === 0)
  await rm(dir, { recursive: true })
})
