import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createMetrics } from '../../src/process/metrics/metrics.ts'

const file = (name: string) => new URL(`../../docs/operations/${name}`, import.meta.url)
const rules = readFileSync(file('alerts.yaml'), 'utf8')
const dashboard = readFileSync(file('dashboard.json'), 'utf8')
const panels = z.object({ panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).optional() })) })

const unread = async () => Promise.reject(new Error('nothing is read here'))
/** What a process without data exports. */
const readExport = async (): Promise<string> => {
  const metrics = createMetrics()
  metrics.watch({
    store: { backlog: unread, cursor: unread, endedHires: unread, jobCounts: unread },
    chains: new Map(),
    gateway: { presence: { see: () => undefined, ask: () => undefined, mayAsk: () => true, healthy: () => [], tell: unseen } },
    elections: { leads: () => true },
    streams: () => 0,
    isReady: async () => true,
  })
  return (await metrics.collect()).text
}
/** The names and kinds of all metrics that the service exports. */
const exported = async (): Promise<Map<string, string>> =>
  new Map([...(await readExport()).matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', kind = '']) => [name, kind]))
const unseen = () => ({ health_status: 'unknown' as const, last_seen: '' })

/** The metrics that a query names: words that are followed by labels, a range, an operator or an end, and are no labels. */
const namedIn = (query: string) =>
  [
    ...query.replaceAll(/\{[^}]*\}|"[^"]*"|\b(?:by|on|without)\s*\([^)]*\)/g, ' ').matchAll(/\b[a-z]+_[a-z0-9_]+\b(?!\s*\()/g),
  ].map(([name]) => name)

/** Names of a query that no metric has. A histogram has three series. */
const unknownIn = (query: string, known: Map<string, string>) =>
  namedIn(query).filter(name => {
    const [, of] = /^(.+)_(?:bucket|sum|count)$/.exec(name) ?? []
    return !(known.has(name) && known.get(name) !== 'histogram') && !(of && known.get(of) === 'histogram')
  })

test('each metric of the alert rules and of the dashboard is one that the service exports', async () => {
  const known = await exported()
  const expressions = [...rules.matchAll(/^ {8}expr: (\|\n(?: {10}.*\n)+|.*$)/gm)].map(([, text = '']) => text)
  const queries = panels.parse(JSON.parse(dashboard)).panels.flatMap(it => it.targets?.map(({ expr }) => expr) ?? [])
  expect(expressions).toHaveLength(rules.match(/- alert:/g)?.length ?? 0)
  expect(queries.length).toBeGreaterThan(20)
  for (const query of [...expressions, ...queries]) {
    expect(namedIn(query), query).not.toEqual([])
    expect(unknownIn(query, known), query).toEqual([])
  }
  expect(unknownIn('sum(rate(market_request_seconds[5m])) + market_gone', known)).toEqual([
    'market_request_seconds',
    'market_gone',
  ])
})

const promtool = ['/usr/bin/promtool', '/usr/local/bin/promtool'].find(existsSync)
const hasPromtool = promtool !== undefined
if (!hasPromtool) process.stdout.write('promtool part left out: install the Debian package prometheus\n')

test.skipIf(!hasPromtool)('Prometheus reads the alert rules, and finds no fault in the names of the metrics', async () => {
  const check = (what: string, input?: string) =>
    execFileSync(promtool ?? '', ['check', ...what.split(' ')], { input, encoding: 'utf8' })
  expect(check(`rules ${file('alerts.yaml').pathname}`)).toContain('SUCCESS')
  const own = (await readExport()).split('\n').filter(it => /\bmarket_/.test(it))
  expect(check('metrics', `${own.join('\n')}\n`)).toBe('')
})
