import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Route } from '../../src/http/route.ts'
import { routes } from '../assembled.ts'
import { plain, provider, talk } from '../hire/market.ts'
import { post, send } from '../http/wire.ts'
import { startTestService, type TestService, type User } from '../service.ts'

let market: TestService
let owner: User
let other: User
/** Ids of the owner's things, by the path parameter that names them. */
let own: Record<string, string>
let code: string

beforeAll(async () => {
  market = await startTestService({ env: { LOG_LEVEL: 'silent' } })
  owner = await market.user('owner')
  other = await market.user('other')
  const poet = await provider(market, plain('0.01'))
  const registered = await post(market.url, '/agents/register', { handle: 'owned', job_offerings: [] }, owner.token)
  const { agent_id } = z.object({ agent_id: z.string() }).parse(registered.json)
  const { say, conversationId } = talk(owner)
  const { run_id } = await say(`Hire agent ${poet.handle} to write a haiku`)
  await say('yes', 0)
  const { job_id } = await poet.take()
  own = { run_id, job_id, agent: agent_id, user_id: owner.wallet, conversation_id: conversationId }
  const mandate = { max_per_job: 1, max_per_period: 1, period: 'day' }
  const { mandate_id } = z.object({ mandate_id: z.string() }).parse(await owner.client.post('/v1/mandates', mandate))
  own.mandate_id = mandate_id
  own.service_id = 'none'
  own.task_id = 'none'
  own.address = owner.proxy
  code = z.object({ code: z.string() }).parse((await post(market.url, '/v1/init', true)).json).code
})
afterAll(() => market?.stop())

type Outcome = 'done' | '401' | '404' | 'refused'
type Asker = 'nobody' | 'another user' | 'the owner'

/** Routes about things of one owner: any other caller gets a not-found error. */
const owned: Record<string, { nobody: Outcome; other: Outcome }> = {
  'put /agents/{agent}': { nobody: '401', other: '404' },
  'delete /users/{user_id}/agents/{agent}': { nobody: '401', other: '404' },
  'put /users/{user_id}/agents/{agent}/pricing': { nobody: '401', other: '404' },
  'get /users/{user_id}/runs': { nobody: '401', other: '404' },
  'get /v1/jobs/{job_id}': { nobody: '404', other: '404' },
  'post /v1/hires/{run_id}/confirm': { nobody: '401', other: '404' },
  'post /v1/hires/{run_id}/cancel': { nobody: '401', other: '404' },
  'delete /v1/mandates/{mandate_id}': { nobody: '401', other: '404' },
  'get /runs/{run_id}': { nobody: '401', other: '404' },
  'get /runs/{run_id}/events': { nobody: '401', other: '404' },
  'get /runs/{run_id}/payments': { nobody: '401', other: '404' },
}
/** The routes of posted jobs never move a hire, not even for its own parties. */
const postingVerbs = ['accept', 'submit', 'complete', 'reject'].map(it => `post /v1/jobs/{job_id}/${it}`)

/** Inputs that are valid for the owner. */
const bodies: Record<string, Record<string, unknown>> = {
  'put /agents/{agent}': { description: 'mine' },
  'put /users/{user_id}/agents/{agent}/pricing': { amount: 0.5 },
  'post /v1/hires/{run_id}/confirm': { digest: '00000000', decision: 'yes', wait_ms: 0 },
  'post /v1/hires/{run_id}/cancel': { wait_ms: 0 },
  'post /v1/mandates': { max_per_job: 1, max_per_period: 1, period: 'day' },
  'post /v1/jobs/{job_id}/accept': { provider_id: 'x' },
  'post /v1/jobs/{job_id}/submit': { provider_id: 'x' },
  'post /v1/jobs/{job_id}/complete': { evaluator_id: 'x' },
  'post /v1/jobs/{job_id}/reject': { rejector_id: 'x' },
  'post /agents/register': { handle: 'owned' },
  'post /users/{user_id}/agents/register': { handle: 'owned' },
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`
// These come last: a revoked token can make no further request, and a deleted agent cannot be found.
const late = new Set(['/v1/revoke', '/users/{user_id}/agents/{agent}'])
const inOrder = routes.toSorted((a, b) => Number(late.has(a.path)) - Number(late.has(b.path)))

const ask = (route: Route, token?: string) => {
  const path = route.path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(own[name] ?? 'none'))
  const query = route.path === '/v1/approve' && route.method === 'get' ? `?code=${code}&address=${owner.wallet}` : ''
  const body = route.method === 'get' ? undefined : JSON.stringify(bodies[nameOf(route)] ?? { wait_ms: 0 })
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  return send(market.url, { method: route.method.toUpperCase(), path: `${path}${query}`, headers, ...(body && { body }) })
}

const outcomeOf = (status: number): Outcome => {
  if (status === 200 || status === 201) return 'done'
  return status === 401 || status === 404 ? `${status}` : 'refused'
}

/** The outcome that the table requires; undefined when any outcome except a server error is correct. */
const expected = (route: Route, asker: Asker): Outcome | undefined => {
  const own = owned[nameOf(route)]
  if (asker === 'nobody') return own?.nobody ?? (route.operation.caller === 'user' ? '401' : undefined)
  return asker === 'another user' ? own?.other : undefined
}

test('row 20: the routes of posted jobs do not change a hire', async () => {
  for (const route of routes.filter(it => postingVerbs.includes(nameOf(it))))
    for (const token of [undefined, other.token, owner.token]) expect((await ask(route, token)).status).toBe(404)
})

test('row 41: another user’s run and an unknown run get the same answer, and ids cannot be guessed', async () => {
  const { run_id = '', job_id = '' } = own
  for (const id of [run_id, job_id]) expect(id).toMatch(/^[a-z]+_[0-9a-z-]{20,}$/i)
  for (const rest of ['', '/events', '/payments']) {
    const answers = await Promise.all(
      [run_id, `run_${randomUUID()}`].map(id =>
        send(market.url, { path: `/runs/${id}${rest}`, headers: { authorization: `Bearer ${other.token}` } }),
      ),
    )
    const [theirs, none] = answers.map(({ status, text }) => ({ status, text }))
    expect(theirs).toEqual(none)
    expect(theirs?.status).toBe(404)
  }
})

test('row 20: on every route an anonymous caller gets 401, another user finds nothing of the owner’s, and the owner succeeds', async () => {
  const counts: Record<Asker, Map<Outcome, number>> = { nobody: new Map(), 'another user': new Map(), 'the owner': new Map() }
  const tokens = { nobody: undefined, 'another user': other.token, 'the owner': owner.token } as const
  for (const route of inOrder)
    for (const asker of ['nobody', 'another user', 'the owner'] as const) {
      const { status, text } = await ask(route, tokens[asker])
      const outcome = outcomeOf(status)
      counts[asker].set(outcome, (counts[asker].get(outcome) ?? 0) + 1)
      const at = `${nameOf(route)} asked by ${asker}: ${status} ${text.slice(0, 200)}`
      expect(status, at).toBeLessThan(500)
      expect([at, expected(route, asker) ?? outcome]).toEqual([at, outcome])
      if (asker === 'the owner') expect(outcome, at).not.toBe('401')
      if (asker === 'the owner' && owned[nameOf(route)]) expect(outcome, at).not.toBe('404')
      if (asker !== 'the owner') for (const secret of [own.run_id ?? '', own.job_id ?? '']) expect(text, at).not.toContain(secret)
    }
  const cells = Object.entries(counts).map(([asker, of]) => `${asker}: ${[...of].map(([it, n]) => `${it} ${n}`).join(', ')}`)
  process.stdout.write(`authorization: ${routes.length} routes × 3 askers = ${routes.length * 3} cells; ${cells.join('; ')}\n`)
  expect(Object.keys(owned).filter(name => !routes.some(it => nameOf(it) === name))).toEqual([])
})
