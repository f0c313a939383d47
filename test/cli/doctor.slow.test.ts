import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { cityClock } from '../../docs/examples/agents/cityClock.ts'
import type { AgentOptions, RunningAgent } from '../../src/kit/kit.ts'
import { ask } from '../hire/market.ts'
import { untilFindable } from '../http/wire.ts'
import { startTestService, type TestService, type User, until } from '../service.ts'
import { start } from './program.ts'

let market: TestService
let owner: User
beforeAll(async () => {
  market = await startTestService()
  owner = await market.user('owner')
})
afterAll(() => market?.stop())

const diagnosis = z.object({
  healthy: z.boolean(),
  findings: z.array(z.object({ check: z.string(), level: z.string(), words: z.string(), remedy: z.string().optional() })),
})

/** Runs the doctor for an agent; returns its output and its exit code. */
const examine = async (name: string, given: { token?: string; url?: string } = {}) => {
  const env = {
    SERVICE_ENDPOINT: given.url ?? market.url,
    SERVICE_PROXY_AUTH: given.token ?? owner.token,
    XDG_CONFIG_HOME: market.dir,
    AGENT_ID: '',
  }
  const { code, out, err } = await start(['agent', 'doctor', ...(name ? [name] : []), '--json'], { env }).ended
  const found = diagnosis.safeParse(JSON.parse(out.trimEnd().split('\n').at(-1) ?? ''))
  if (!found.success) throw new Error(`The doctor said ${out} ${err}`)
  return { code, healthy: found.data.healthy, wrong: found.data.findings.filter(it => it.level === 'wrong') }
}

const deliverable = { type: 'object', required: ['count'], properties: { count: { type: 'integer' } } }
const requirement = { type: 'object', required: ['text'], properties: { text: { type: 'string', description: 'The text' } } }
const offering = {
  id: 'letters',
  name: 'Count the letters',
  description: 'Counts letters',
  price_v2: { type: 'fixed', amount: '0.01' },
}
const good = { ...offering, requirement, deliverable, examples: ['Count the letters of a long text'] }

/** Registers an agent without starting it. */
const register = async (handle: string, more: Record<string, unknown> = {}) => {
  const job_offerings = [{ ...good, name: `${good.name} for ${handle}` }]
  await owner.client.post('/agents/register', { handle, name: handle, description: handle, chain_id: 97, job_offerings, ...more })
}
/** Registers an agent and polls for its jobs. */
const registerPolling = async (handle: string, more: Record<string, unknown> = {}) => {
  await register(handle, more)
  await ask({ url: market.url, token: owner.token }, `/gateway/jobs/poll?agent=${handle}`, { method: 'GET' })
}

const running = async (handle: string, more: Partial<AgentOptions> = {}): Promise<RunningAgent> =>
  market.agent({
    handle,
    offerings: [
      {
        id: 'vowels',
        name: `Count the vowels (${handle})`,
        description: 'Counts vowels',
        price: '0.01',
        requirement,
        deliverable,
      },
    ],
    handler: () => ({ count: 1 }),
    credential: { token: owner.token },
    ...more,
  })

test('the doctor finds nothing wrong with a healthy polling or called agent, and exits with code 0', async () => {
  const agent = await running('vowels')
  await untilFindable(market.url, 'count the vowels', 'vowels')
  await until('a poll', async () => (await examine('vowels')).healthy)
  expect(await examine('vowels')).toEqual({ code: 0, healthy: true, wrong: [] })
  expect(await examine(agent.agentId())).toEqual({ code: 0, healthy: true, wrong: [] })
})

type Broken = { name: string; check: string; words: RegExp; breaks(): Promise<{ agent: string; token?: string; url?: string }> }

const named = async (agent: string, work: Promise<unknown>) => {
  await work
  return { agent }
}

const broken: Broken[] = [
  {
    name: 'the market cannot be reached',
    check: 'service',
    words: /cannot be reached/,
    breaks: async () => ({ agent: 'x', url: 'http://127.0.0.1:9' }),
  },
  { name: 'the token is none', check: 'signed in', words: /token/i, breaks: async () => ({ agent: 'x', token: 'a.b.c' }) },
  {
    name: 'the token was revoked',
    check: 'signed in',
    words: /token/i,
    breaks: async () => {
      const user = await market.user('revoked')
      await user.client.post('/v1/revoke', {})
      return { agent: 'x', token: user.token }
    },
  },
  { name: 'no agent is named', check: 'agent', words: /none is stored/, breaks: async () => ({ agent: '' }) },
  {
    name: 'the agent is not registered',
    check: 'registered',
    words: /No agent is registered as nobody-here/,
    breaks: async () => ({ agent: 'nobody-here' }),
  },
  {
    name: 'the agent belongs to another wallet',
    check: 'registered',
    words: /belongs to another wallet/,
    breaks: async () => {
      await cityClock({ platformUrl: market.url, credential: { privateKey: generatePrivateKey() } })
        .start()
        .then(it => it.stop())
      return { agent: 'city-clock' }
    },
  },
  {
    name: 'it was retired',
    check: 'registered',
    words: /retired/,
    breaks: async () => {
      await registerPolling('retired')
      await owner.client.delete(`/users/${owner.wallet}/agents/retired`)
      return { agent: 'retired' }
    },
  },
  {
    name: 'it has no offerings',
    check: 'listed',
    words: /no offerings/,
    breaks: () => named('bare', registerPolling('bare', { job_offerings: [] })),
  },
  {
    name: 'its only offering is hidden and not active',
    check: 'listed',
    words: /letters \(not active, hidden\)/,
    breaks: () => named('hidden', registerPolling('hidden', { job_offerings: [{ ...good, hide: true, active: false }] })),
  },
  {
    name: 'its sample does not fit its requirement',
    check: 'schema:letters',
    words: /sample in job_input does not fit/,
    breaks: () =>
      named('sampled', registerPolling('sampled', { job_offerings: [{ ...good, job_input: 'such as {"words": 5}' }] })),
  },
  {
    name: 'its schema requires what it does not describe',
    check: 'schema:letters',
    words: /requires nope/,
    breaks: () =>
      named(
        'strays',
        registerPolling('strays', { job_offerings: [{ ...good, requirement: { ...requirement, required: ['nope'] } }] }),
      ),
  },
  { name: 'it never polled', check: 'polls', words: /has never connected/, breaks: () => named('asleep', register('asleep')) },
  {
    name: 'two processes poll for it',
    check: 'pollers',
    words: /Two processes/,
    breaks: async () => {
      await register('twins')
      const { agent_id } = z.object({ agent_id: z.string() }).parse(await owner.client.get('/agents/twins'))
      const poll = (as: string) =>
        ask({ url: market.url }, `/gateway/jobs/poll?agent=${encodeURIComponent(as)}`, { method: 'GET' })
      await poll('twins')
      await poll(agent_id)
      return { agent: 'twins' }
    },
  },
  {
    name: 'its address does not answer',
    check: 'card',
    words: /127\.0\.0\.1:45991 cannot be reached/,
    breaks: () => named('deaf', register('deaf', { endpoint_url: 'http://127.0.0.1:45991' })),
  },
  {
    name: 'its address serves the card of another agent',
    check: 'card',
    words: /card of another agent/,
    breaks: async () => {
      const { url } = await running('landlord')
      return named('lodger', register('lodger', { endpoint_url: url }))
    },
  },
]

test.each(broken)('the doctor exits with code 1 and names the cause when $name', async ({ check, words, breaks }) => {
  const { agent, ...at } = await breaks()
  const { code, wrong } = await examine(agent, at)
  expect(code).toBe(1)
  expect(wrong.find(it => it.check === check)?.words).toMatch(words)
  expect(wrong.every(it => it.remedy)).toBe(true)
})
