import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { parseJson } from '../../src/domain/json.ts'
import { startBalancer } from '../faults/processes/balancer.ts'
import { untilFindable } from '../http/wire.ts'
import { offers } from '../plans/planWorld.ts'
import { startTestService, type TestService, until } from '../service.ts'
import { start } from './program.ts'

let market: TestService
let env: Record<string, string>
beforeAll(async () => {
  market = await startTestService()
  env = { SERVICE_ENDPOINT: market.url, XDG_CONFIG_HOME: join(market.dir, 'config'), SERVICE_PROXY_AUTH: '', AGENT_ID: '' }
})
afterAll(() => market?.stop())

/** Runs a command to its end and parses the JSON object on its last line. */
const run = async (...args: string[]) => {
  const { code, out, err } = await start([...args, '--json'], { env }).ended
  return { code, err, object: parseJson(out.trimEnd().split('\n').at(-1) ?? '') }
}
const stored = () => readFile(join(market.dir, 'config/agent-marketplace/config.json'), 'utf8').then(parseJson)

const server = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js')

test('each step from signing in to a paid job of a wrapped MCP server is one command that prints one object', async () => {
  // In the repository there is no `market`, so what is named runs as it stands.
  const signIn = expect.stringContaining('Sign in with: npx node src/main.ts login')
  expect(await run('whoami')).toMatchObject({ code: 1, err: signIn, object: { code: 'unauthenticated' } })
  expect(await run('login', '--demo')).toMatchObject({ code: 0, object: { signed_in: true } })
  const { mode } = await stat(join(market.dir, 'config/agent-marketplace/config.json'))
  expect(mode & 0o777).toBe(0o600)

  const list = join(market.dir, 'market.json')
  const wrap = ['agent', 'wrap', 'mcp', '--file', list, '--only', 'get-sum', '--handle', 'sums', '--json']
  const mcp = ['--', process.execPath, server, 'stdio']
  const dry = await start([...wrap, '--dry-run', ...mcp], { env }).ended
  expect(parseJson(dry.out.trim())).toMatchObject({ registration: { handle: 'sums', jobOfferings: [{ id: 'get-sum' }] } })
  await expect(stat(list)).rejects.toThrow('ENOENT')

  const { child, ended } = start([...wrap, ...mcp], { env })
  await untilFindable(market.url, 'sum of two numbers', 'sums')
  await until('the id to be stored', async () => z.object({ AGENT_ID: z.string() }).safeParse(await stored()).success)
  expect(await readFile(list, 'utf8').then(parseJson)).toMatchObject({
    handle: 'sums',
    offerings: { 'get-sum': { price: '0.02' } },
  })

  const task = 'Get the sum of two numbers: a 17 and b 25'
  expect(await run('hire', task)).toMatchObject({ code: 1, object: { error: expect.stringContaining('--yes --max') } })
  expect(await run('hire', task, '--yes', '--max', '0.01')).toMatchObject({
    code: 1,
    object: { error: 'It costs 0.02 USDC, and --max is 0.01.' },
  })
  const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/)
  const hired = await run('hire', task, '--yes', '--max', '0.02')
  expect(hired).toMatchObject({
    code: 0,
    object: {
      run_id: expect.stringMatching(/^run_/),
      job_id: expect.stringMatching(/^job_/),
      state: 'settled',
      deliverable: 'The sum of 17 and 25 is 42.',
      paid: '0.02',
      transactions: [
        { type: 'escrow', amount: '0.02', transaction: hash },
        { type: 'payout', amount: '0.02', transaction: hash },
      ],
    },
  })
  const { run_id } = z.object({ run_id: z.string() }).parse(hired.object)
  expect((await run('receipt', run_id)).object).toMatchObject({ payments: [{ type: 'escrow' }, { type: 'payout' }] })
  // Without an agent argument, the command sums all agents, and shows the stored one.
  expect((await run('agent', 'earnings')).object).toMatchObject({ amount: '0.02', currency: 'USDC' })
  expect((await run('agent', 'show')).object).toMatchObject({ handle: 'sums', health_status: 'healthy' })
  expect((await run('runs')).object).toMatchObject({ runs: expect.arrayContaining([expect.objectContaining({ run_id })]) })

  child.kill('SIGTERM')
  const served = await ended
  expect(served.code).toBe(0)
  expect(served.out.trim().split('\n')).toHaveLength(1)
  expect(parseJson(served.out)).toMatchObject({
    agent_id: expect.stringMatching(/^97:0x/),
    handle: 'sums',
    offerings: ['get-sum'],
  })

  expect(await run('logout')).toMatchObject({ code: 0, object: { signed_in: false } })
  expect(await stored()).not.toHaveProperty('SERVICE_PROXY_AUTH')
}, 120_000)

test('a command that hires waits for a service that is away, and shows the result', async () => {
  const begun = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  await market.agent({
    ...{ handle: 'anvils', offerings: [offers.clock] },
    handler: async () => {
      begun.resolve()
      await done.promise
      return { time: '10:00' }
    },
  })
  expect(await run('login', '--demo')).toMatchObject({ code: 0 })
  let isAway = false
  const line = await startBalancer(() => (isAway ? [] : [Number(new URL(market.url).port)]))
  onTestFinished(line.stop)
  const hire = ['hire', 'Local time in the city Oslo', '--yes', '--max', '0.1']
  const { child, ended } = start(hire, { env: { ...env, SERVICE_ENDPOINT: line.url } })
  const said: string[] = []
  child.stdout?.on('data', it => void said.push(String(it)))
  await begun.promise
  isAway = true
  line.drop(Number(new URL(market.url).port))
  await until('the command to say so', async () => said.join('').includes('The service does not answer. I ask again'))
  done.resolve()
  isAway = false
  expect(await ended).toMatchObject({ code: 0, out: expect.stringContaining('10:00') })
}, 120_000)

test('earnings and jobs are told by agent, and a hire that is asked for more says where to answer', async () => {
  expect(await run('login', '--demo')).toMatchObject({ code: 0 })
  const job_offerings = [{ id: 'time', name: 'Lunar time', description: 'Tells the lunar time of a crater.', ...lunar }]
  for (const handle of ['moon-clock', 'moon-spare']) {
    const file = join(market.dir, `${handle}.json`)
    await writeFile(file, JSON.stringify({ handle, name: handle, description: 'A clock', via_gateway: true, job_offerings }))
    expect(await run('agent', 'register', file)).toMatchObject({ code: 0 })
  }
  const said = async (...args: string[]) => (await start(args, { env }).ended).out
  expect(await said('agent', 'earnings')).toMatch(/moon-spare: 0 USDC since .+\n.*0 USDC since .+, all agents/s)
  expect(await said('agent', 'earnings', 'moon-clock')).toMatch(/^moon-clock: 0 USDC since \S+\n$/)
  const { child } = start(['hire', 'Hire agent moon-clock for the lunar time of crater Tycho', '--yes', '--max', '0.1'], { env })
  const jobs = await until('the job', async () => (await said('agent', 'jobs', 'moon-clock')) || undefined)
  expect(jobs).toMatch(/^job_\w+ +\w+ +0\.02 USDC +Lunar time: .*Tycho/)
  expect(await said('agent', 'jobs', 'moon-spare')).toBe('')
  child.kill('SIGTERM')
  expect(await said('hire', 'Hire agent moon-clock for the lunar time')).toMatch(/Answer at http\S+ or with: .*--resume \S+/)
}, 120_000)

const lunar = {
  price_v2: { type: 'fixed', amount: '0.02' },
  sla_minutes: 9,
  requirement: { type: 'object', required: ['crater'], properties: { crater: { type: 'string', description: 'The crater' } } },
  deliverable: { type: 'string' },
}

test('an unknown command or option exits with code 2', async () => {
  expect((await start(['nothing'], { env }).ended).code).toBe(2)
  expect((await start(['hire', '--nothing'], { env }).ended).code).toBe(2)
})
