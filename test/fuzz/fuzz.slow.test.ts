import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Schema, Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { isProblemName } from '../../src/domain/problem.ts'
import type { Route } from '../../src/http/route.ts'
import { routes } from '../assembled.ts'
import { startTestService, type TestService } from '../service.ts'
import { inputsOf } from './inputs.ts'

const requests = Number(process.env.FUZZ_REQUESTS ?? 2_000)
const seed = Number(process.env.SEED ?? 7)

let market: TestService
let tokens: string[]
let document: z.infer<typeof openapi>
const content = z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.looseObject({}) })).optional() })
const openapi = z.looseObject({
  components: z.looseObject({}),
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ responses: z.record(z.string(), content) }))),
})
beforeAll(async () => {
  market = await startTestService({ env: { LOG_LEVEL: 'silent', RATE_LIMIT: '0' } })
  const people = await Promise.all(['ada', 'bob'].map(it => market.user(it)))
  tokens = people.map(it => it.token)
  document = openapi.parse(await (await fetch(`${market.url}/openapi.json`)).json())
})
afterAll(() => market?.stop())

/** Ids from earlier answers, which later requests use. */
const seen: string[] = []
const noteIds = (value: unknown): void => {
  if (
    typeof value === 'string' &&
    value.length < 200 &&
    /^(?:run|job|conversation|group)_|^97:0x|^0x|^[0-9a-f]{8,64}$/.test(value)
  )
    seen.push(value)
  else if (typeof value === 'object' && value !== null) Object.values(value).forEach(noteIds)
}
const withIds = (value: unknown): unknown => {
  if (typeof value === 'string') {
    const [, nth] = /^earlier:(\d+)/.exec(value) ?? []
    return nth === undefined ? value : (seen[seen.length - 1 - (Number(nth) % Math.max(seen.length, 1))] ?? 'none')
  }
  if (Array.isArray(value)) return value.map(withIds)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, withIds(it)]))
}

/** Overrides that disable waiting for a job or for its end. */
const patient = { timeout: 0, wait_ms: 0 }

const asked = (route: Route, who: number) =>
  inputsOf(route.operation.input).map(input => ({
    route,
    who,
    input: Object.fromEntries(Object.entries(input).map(([name, it]) => [name, name in patient ? 0 : it])),
  }))
// Excluded are streams, which stay open as long as their run, and the route that revokes the token of the test.
const open = routes.filter(
  it => it.path !== '/v1/revoke' && (it.stream === undefined || it.stream === 'events' || it.stream === 'ag-ui'),
)
const request = fc.constantFrom(...open).chain(route => fc.constantFrom(0, 1, 2).chain(who => asked(route, who)))
type Asked = { route: Route; who: number; input: Record<string, unknown> }

const toRequest = ({ route: { method, path }, who, input }: Asked) => {
  const left: Record<string, unknown> = { ...input, ...(path.includes('invoke') && { wait_ms: 0 }) }
  const at = path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const given = left[name] ?? 'x'
    const value = (typeof given === 'string' ? given : JSON.stringify(given)) || 'x'
    delete left[name]
    return encodeURIComponent(value.isWellFormed() ? value : value.toWellFormed()).replace(/^\.+$/, 'x')
  })
  const isGet = method === 'get'
  const entries = Object.entries(left).map(([name, it]): [string, string] => [
    name,
    typeof it === 'string' ? it : JSON.stringify(it),
  ])
  const query = isGet ? `?${new URLSearchParams(entries)}` : ''
  return {
    url: `${market.url}${at}${query}`,
    init: {
      method: method.toUpperCase(),
      headers: { 'content-type': 'application/json', ...(who > 0 && { authorization: `Bearer ${tokens[who - 1]}` }) },
      ...(!isGet && { body: JSON.stringify(left) }),
    },
  }
}

const problem = z.looseObject({ type: z.string(), status: z.number(), detail: z.string(), code: z.string() })
const counts = new Map<number, number>()

const ask = async (of: Asked) => {
  const { url, init } = toRequest({ ...of, input: z.record(z.string(), z.unknown()).parse(withIds(of.input)) })
  const response = await fetch(url, init)
  const text = await response.text()
  const repeat = `curl -X ${init.method} '${url}' -H 'content-type: application/json' -d '${init.body ?? ''}'\n${text.slice(0, 500)}`
  const { status } = response
  counts.set(status, (counts.get(status) ?? 0) + 1)
  expect(status, repeat).toBeLessThan(500)
  const json: unknown = text === '' ? undefined : JSON.parse(text)
  const { components, paths } = document
  const promise = paths[of.route.path]?.[of.route.method]?.responses[String(status)]
  if (!response.ok && !promise?.content?.['application/json']) {
    const said = problem.parse(json)
    expect([said.status, isProblemName(said.code), said.type], repeat).toEqual([status, true, `/problems/${said.code}`])
    return
  }
  expect(promise, repeat).toBeDefined()
  const schema = promise?.content?.['application/json']?.schema
  const promised: Schema = { ...schema, components }
  expect(new Validator(promised, '2020-12').validate(json).errors, repeat).toEqual([])
  noteIds(json)
}

test(`${requests} generated requests cause no internal error, and every answer is documented for its route or a named problem`, async () => {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  await fc.assert(fc.asyncProperty(request, ask), { numRuns: requests, seed, endOnFailure: requests > 10_000 })
  delay.disable()
  const told = [...counts].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status} × ${count}`)
  process.stdout.write(
    `fuzz: ${requests} requests, seed ${seed}: ${told.join(', ')}; event-loop delay p99 ${Math.round(delay.percentile(99) / 1e6)} ms\n`,
  )
  // The result means nothing if every request was refused.
  expect(counts.get(200) ?? 0).toBeGreaterThan(requests / 20)
  expect('polluted' in {}).toBe(false)
}, 3_600_000)

test('a malformed percent sequence in the path of any route is refused, and is never an internal error', async () => {
  for (const { method, path, stream } of open.filter(it => it.path.includes('{'))) {
    if (stream) continue
    const at = path.replace(/\{\w+\}/g, '%E0%A4%A')
    const init = {
      method: method.toUpperCase(),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens[0]}` },
    }
    const { status } = await fetch(`${market.url}${at}`, { ...init, ...(method !== 'get' && { body: '{}' }) })
    expect(status, `${method} ${at}`).toBeLessThan(500)
  }
})
