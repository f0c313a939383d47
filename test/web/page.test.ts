import { createHash } from 'node:crypto'
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

const assetsOf = (shell: string) => [...new Set(shell.match(/\/assets\/[\w.-]+/g))]

/** The files of a shell, and the font that its style sheet names. */
const assetsWithFont = async (shell: string) => {
  const sheet = /\/assets\/page-\w+\.css/.exec(shell)?.[0] ?? ''
  return [...assetsOf(shell), ...assetsOf((await get(market.url, sheet)).text)]
}

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
  // A conversation, and the page that approves one proposal.
  const talks = scripts.filter(it => it.code.includes('/invoke'))
  expect(talks).toHaveLength(2)
  expect(Math.max(...talks.map(it => weigh(scripts, it)))).toBeLessThan(60 * 1024)
  const { text } = await get(market.url, '/')
  const sizes = await Promise.all(
    (await assetsWithFont(text)).map(async path => {
      const answer = await fetch(market.url + path)
      return gzipSync(Buffer.from(await answer.arrayBuffer()), { level: 9 }).length
    }),
  )
  const page = gzipSync(text, { level: 9 }).length
  expect(sizes.reduce((sum, it) => sum + it, page)).toBeLessThan(70 * 1024)
})

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test('the page loads nothing from other hosts, runs only the scripts of its build and cannot be framed', async () => {
  const { status, headers, text } = await get(market.url, '/')
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  const policy = String(headers['content-security-policy'])
  expect(policy).toMatch(/^default-src 'self';.*frame-ancestors 'none'/)
  // What stands in the text is named in the policy by its hash, and nothing else is.
  const inline = [...text.matchAll(/<(script|style)[^>]*>([\s\S]*?)<\/\1>/g)]
  expect(inline.map(([, tag]) => tag)).toEqual(['script', 'style'])
  expect(policy.match(/'sha256-[^']+'/g)).toEqual(inline.map(([, , it = '']) => hashOf(it)))
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  const [, , style = ''] = inline[1] ?? []
  const rest = inline.reduce((left, [whole]) => left.replace(whole, ''), text)
  expect(rest).not.toMatch(/<style|style=|\son\w+=|javascript:|<script|https?:(?!\/\/localhost:\d+\/">Continue with a passkey)/)
  expect(/@import|url\(/.exec(style)).toBeNull()
  const assets = await assetsWithFont(text)
  const named = assets.map(it => it.replace(/-[0-9a-f]{12}/, ''))
  expect(named).toEqual(expect.arrayContaining(['/assets/figtree.woff2', '/assets/page.js', '/assets/page.css']))
  // The bundler names the scripts that the first one imports.
  for (const it of named.filter(one => !/\.(?:woff2|css)$/.test(one))) expect(it).toMatch(/^\/assets\/[\w-]+\.js$/)
  for (const path of assets) {
    const asset = await get(market.url, path)
    expect([asset.status, asset.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable'])
    expect(/\beval\(|new Function/.exec(asset.text)).toBeNull()
  }
})

test('an unchanged page is answered 304 to a browser that has it, and an old script is not found', async () => {
  const first = await fetch(`${market.url}/app/market`)
  expect(await first.text()).toBe(await (await fetch(`${market.url}/`)).text())
  const again = await fetch(`${market.url}/app/me`, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
  expect((await get(market.url, '/assets/page-000000000000.js')).status).toBe(404)
})

test('a first visitor gets a page that is painted without asking for anything kept, others one that asks first', async () => {
  const [first, other, returning] = await Promise.all(
    ['', 'not-returning=1', 'theme=x; returning=1'].map(cookie => fetch(market.url, { headers: { cookie } })),
  )
  const said = await Promise.all(
    [first, other, returning].map(async it => /data-returning="(\w+)"/.exec((await it?.text()) ?? '')?.[1]),
  )
  expect(said).toEqual(['false', 'false', 'true'])
  expect(first?.headers.get('vary')).toBe('accept-encoding, cookie')
  expect(first?.headers.get('etag')).toBe(other?.headers.get('etag'))
  expect(first?.headers.get('etag')).not.toBe(returning?.headers.get('etag'))
})

test('a visitor sees the door before any script has run', async () => {
  const { text } = await get(market.url, '/')
  expect(text).toContain('<h1 id="title" tabindex="-1">Hire an agent in a sentence</h1>')
  expect(text).toContain('<b>Start with a demo wallet</b>')
})
