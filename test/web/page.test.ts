import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundle } from '../../src/http/pageScripts.ts'
import { get } from '../http/wire.ts'
import { startTestService, type TestService } from '../service.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market.stop())

const assetsOf = (shell: string) => [...shell.matchAll(/ (?:src|href)="(\/assets\/[^"]+)"/g)].map(match => match[1] ?? '')

type Scripts = Awaited<ReturnType<typeof bundle>>

/** Compressed bytes of a script and of all that it imports. */
const weigh = (scripts: Scripts, first: Scripts[number] | undefined): number => {
  const needed = new Set(first ? [first] : [])
  for (const it of needed) for (const other of scripts) if (it.imports.includes(other.fileName)) needed.add(other)
  return [...needed].reduce((sum, it) => sum + gzipSync(it.code, { level: 9 }).length, 0)
}

test('no script of the page imports what a browser does not have', async () => {
  const scripts = await bundle()
  const own = scripts.map(it => it.fileName)
  expect(scripts.flatMap(it => it.imports).filter(it => !own.includes(it))).toEqual([])
})

test('the door loads at most 24 KB of scripts, a conversation 60 KB, and the door with its font at most 70 KB', async () => {
  const scripts = await bundle()
  expect(weigh(scripts, scripts[0])).toBeLessThan(24 * 1024)
  const talk = scripts.find(it => it.code.includes('/invoke'))
  expect(talk).toBeDefined()
  expect(weigh(scripts, talk)).toBeLessThan(60 * 1024)
  const { text } = await get(market.url, '/')
  const sizes = await Promise.all(
    assetsOf(text).map(async path => {
      const answer = await fetch(market.url + path)
      return gzipSync(Buffer.from(await answer.arrayBuffer()), { level: 9 }).length
    }),
  )
  expect(sizes.reduce((sum, it) => sum + it, 0)).toBeLessThan(70 * 1024)
})

test('the page loads nothing from other hosts, runs no inline script and cannot be framed', async () => {
  const { status, headers, text } = await get(market.url, '/')
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(headers['content-security-policy']).toMatch(/^default-src 'self';.*frame-ancestors 'none'/)
  expect(text).not.toMatch(
    /<style|style=|\son\w+=|javascript:|<script(?! src="\/assets\/opening-)|https?:(?!\/\/localhost:\d+\/">Continue with a passkey)/,
  )
  const assets = assetsOf(text)
  const [style, opening, font, script, ...beside] = assets.map(it => it.replace(/-[0-9a-f]{12}/, ''))
  const first = ['/assets/page.css', '/assets/opening.js', '/assets/figtree.woff2', '/assets/page.js']
  expect([style, opening, font, script]).toEqual(first)
  // The bundler names the scripts that the first one imports.
  for (const it of beside) expect(it).toMatch(/^\/assets\/[\w-]+\.js$/)
  for (const path of assets) {
    const asset = await get(market.url, path)
    expect([asset.status, asset.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable'])
    expect(/\beval\(|new Function/.exec(asset.text)).toBeNull()
    // The style sheet may load only the font of this service.
    if (path.endsWith('.css')) expect(/@import|url\((?!"?\/assets\/figtree-)/.exec(asset.text)).toBeNull()
  }
})

test('an unchanged page is answered 304 to a browser that has it, and an old script is not found', async () => {
  const first = await fetch(`${market.url}/app/market`)
  expect(await first.text()).toBe(await (await fetch(`${market.url}/`)).text())
  const again = await fetch(`${market.url}/app/me`, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
  expect((await get(market.url, '/assets/page-000000000000.js')).status).toBe(404)
})

test('a visitor sees the door before any script has run', async () => {
  const { text } = await get(market.url, '/')
  expect(text).toContain('<h1 id="title" tabindex="-1">Hire an agent in a sentence</h1>')
  expect(text).toContain('<b>Start with a demo wallet</b>')
})
