import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { parseJson } from '../../src/domain/json.ts'
import { plain, rested, talk } from '../hire/market.ts'
import { startTestService, until } from '../service.ts'

const value = z.object({
  stringValue: z.string().optional(),
  intValue: z.coerce.number().optional(),
  boolValue: z.boolean().optional(),
})
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .transform(list => new Map(list.map(it => [it.key, it.value.stringValue ?? it.value.intValue ?? it.value.boolValue])))
const nanos = z.coerce.bigint()
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: nanos,
  endTimeUnixNano: nanos,
  attributes,
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
  status: z.object({ code: z.number().optional() }).default({}),
})
const exported = z.object({
  resourceSpans: z.array(
    z.object({ resource: z.object({ attributes }), scopeSpans: z.array(z.object({ spans: z.array(span) })) }),
  ),
})

/** A collector that takes OTLP/HTTP in JSON and keeps every span. */
const startCollector = async () => {
  const bodies: string[] = []
  const headers: IncomingHttpHeaders[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (request.url === '/base/v1/traces') bodies.push(body)
    headers.push(request.headers)
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const read = () => bodies.flatMap(it => exported.parse(parseJson(it)).resourceSpans)
  return {
    url: `http://127.0.0.1:${port}/base/`,
    headers,
    bodies,
    services: () => read().map(it => it.resource.attributes.get('service.name')),
    spans: () => read().flatMap(it => it.scopeSpans.flatMap(({ spans }) => spans)),
  }
}

test('a hire is one trace from its message to its settlement, also across a restart, and the trace has no text or secret', async () => {
  const collector = await startCollector()
  const market = await startTestService({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=key%20of%20ours',
      OTEL_SERVICE_NAME: 'market-of-the-test',
    },
  })
  onTestFinished(market.stop)
  await market.agent({ handle: 'poet', offerings: [plain('0.5')], handler: async () => 'An old silent pond' })
  const user = await market.user('ann')
  const chat = talk(user)
  await chat.say('Hire agent poet to write a haiku about my secret garden')
  await market.restart()
  const caller = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
  const said = await fetch(`${market.url}/invoke`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${user.token}`,
      traceparent: `00-${caller.traceId}-${caller.spanId}-01`,
    },
    body: JSON.stringify({ message: 'yes', conversation_id: chat.conversationId }),
  })
  const { run_id: runId } = z.object({ run_id: z.string() }).parse(await said.json())
  const run = await rested(user, runId)
  expect(run.job?.state).toBe('settled')
  const trace = await until('the trace', async () => {
    const spans = collector.spans().filter(it => it.attributes.get('market.run') === runId)
    return spans.some(it => it.name === 'hire') && spans
  })

  const [whole] = trace.filter(it => it.name === 'hire')
  const [job] = trace.filter(it => it.name === 'job')
  expect(new Set(trace.map(it => it.traceId)).size).toBe(1)
  expect(whole?.parentSpanId || undefined).toBeUndefined()
  expect(trace.filter(it => it.name === 'POST /invoke').map(it => it.parentSpanId)).toEqual([whole?.spanId, whole?.spanId])
  expect(trace.flatMap(it => it.links)).toMatchObject([caller])
  const names = trace.map(it => it.name)
  expect(names).toEqual(expect.arrayContaining(['node understand', 'node propose', 'node escrow', 'node settle', 'node report']))
  const parts = trace.filter(it => it.parentSpanId === job?.spanId)
  expect(parts.map(it => it.name)).toEqual(expect.arrayContaining(['escrow', 'queue', 'delivery', 'evaluation', 'settlement']))
  expect(job?.attributes.get('market.job')).toBe(run.job?.job_id)
  for (const part of [...parts, ...(job ? [job] : [])]) {
    expect(part.startTimeUnixNano).toBeLessThanOrEqual(part.endTimeUnixNano)
    expect(part.startTimeUnixNano).toBeGreaterThanOrEqual(whole?.startTimeUnixNano ?? 0n)
    expect(part.endTimeUnixNano).toBeLessThanOrEqual(whole?.endTimeUnixNano ?? 0n)
  }
  const hashes = collector.spans().filter(it => it.name === 'transaction' && it.traceId === whole?.traceId)
  expect(hashes.map(it => it.attributes.get('market.step'))).toEqual(expect.arrayContaining(['hire', 'complete']))
  // A node that waits for the user has not failed.
  expect(trace.filter(it => it.status.code === 2).map(it => it.name)).toEqual([])
  expect(new Set(collector.services())).toEqual(new Set(['market-of-the-test']))
  expect(new Set(collector.headers.map(it => it['x-collector-key']))).toEqual(new Set(['key of ours']))
  const sent = collector.bodies.join('')
  for (const secret of [user.token, 'secret garden', 'silent pond', 'haiku', 'key of ours']) expect(sent).not.toContain(secret)
})

test('a hire goes on while the collector does not answer', async () => {
  const market = await startTestService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' } })
  onTestFinished(market.stop)
  await market.agent({ handle: 'poet', offerings: [plain('0.5')], handler: async () => 'An old silent pond' })
  const user = await market.user('ann')
  const chat = talk(user)
  await chat.say('Hire agent poet to write a haiku')
  const { run_id: runId } = await chat.say('yes')
  expect((await rested(user, runId)).job?.state).toBe('settled')
})

/** Starts and stops a service in a process that reports the packages of OpenTelemetry that send traces, when they are loaded. */
const watched = `
  const { registerHooks } = await import('node:module')
  registerHooks({ resolve: (name, context, next) => {
    if (/^@opentelemetry.(sdk|exporter|resources)/.test(name)) console.log('loaded ' + name)
    return next(name, context)
  } })
  const { startService } = await import('./src/service.ts')
  const { readConfig } = await import('./src/config.ts')
  const service = await startService({ config: readConfig({ ...process.env, PORT: '0' }) })
  await service.stop()
  console.log('stopped')
  process.exit(0)
`

test.each([
  { of: 'without a collector nothing that sends traces is loaded', env: {}, loads: false },
  { of: 'with a collector it is loaded', env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, loads: true },
])('$of', async ({ env, loads }) => {
  const dir = await mkdtemp(join(tmpdir(), 'marketplace-test-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const child = spawn(process.execPath, ['--input-type=module', '-e', watched], {
    env: { PATH: process.env.PATH, DATA_DIR: dir, LOCAL_WORLD: 'false', LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = await text(child.stdout)
  expect(said).toContain('stopped')
  expect(said.includes('loaded @opentelemetry/')).toBe(loads)
})
