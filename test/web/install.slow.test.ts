import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { servePage } from '../../src/http/page.ts'
import { get } from '../http/wire.ts'
import { startTestService, until } from '../service.ts'
import { browserPath, openBrowser, visit } from './browser.ts'
import { openMarket } from './market.ts'
import { say, signIn } from './scene.ts'

const leftOut = browserPath ? '' : ' (left out: there is no Chromium on this machine)'

/** A build whose page says its name and starts the worker, as the page of this release does. */
const buildOf = (name: string) => {
  const app = new Hono()
  const shown = `document.getElementById('page').textContent = 'build ${name}'; opening.end(document.getElementById('page'))`
  const code = `${shown}; navigator.serviceWorker.register('/worker.js')`
  const settings = { publicUrl: 'http://localhost', local: true, model: '', faucet: '', allowsPrivate: true }
  servePage(app, { settings }, { scripts: async () => [{ fileName: `page-${name}.js`, code, imports: [] }] })
  return getRequestListener(app.fetch)
}

const startBuilds = async () => {
  let build = buildOf('one')
  const server = createServer((request, answer) => void build(request, answer))
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    update: () => {
      build = buildOf('two')
    },
  }
}

const open = async (url: string) => {
  const browser = await openBrowser()
  onTestFinished(() => browser.close())
  return visit(browser, url, { serviceWorkers: 'allow' })
}

const untilWorking = (page: Page) =>
  until('the worker', () => page.evaluate<boolean>('navigator.serviceWorker.controller !== null'))

/** What the browser keeps of pages: the name of each kept shell. */
const shells = `caches.keys().then(async names => (await Promise.all(names.filter(it => it.startsWith('page ')).map(async it =>
  (await (await caches.open(it)).keys()).map(one => new URL(one.url).pathname).filter(path => path.includes('shell-'))))).flat())`

test('a browser finds what it needs to install the page: the manifest and its icons', async () => {
  const market = await startTestService()
  onTestFinished(() => market.stop())
  const { json, headers } = await get(market.url, '/manifest.webmanifest')
  expect(headers['content-type']).toBe('application/manifest+json')
  const { icons } = z.object({ icons: z.array(z.object({ src: z.string(), sizes: z.string() })) }).parse(json)
  for (const { src, sizes } of icons) {
    const bytes = Buffer.from(await (await fetch(market.url + src)).arrayBuffer())
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes)
  }
  expect((await get(market.url, '/worker.js')).headers['cache-control']).toBe('no-cache')
})

describe.runIf(browserPath)(`the worker of the page${leftOut}`, () => {
  test('never shows an old page after an update, and keeps the newest for times without a line', async () => {
    const { url, update } = await startBuilds()
    const { context, page } = await open(url)
    await page.goto('/')
    await page.getByText('build one').waitFor()
    await untilWorking(page)
    const before = await page.evaluate<string[]>(shells)
    expect(before).toHaveLength(1)
    update()
    await page.reload()
    await page.getByText('build two').waitFor()
    // The worker of the new build takes the place of the old one, with its files.
    await until('the files of the new build alone', async () => {
      const kept = await page.evaluate<string[]>(shells)
      return kept.length === 1 && kept[0] !== before[0]
    })
    await context.setOffline(true)
    await page.goto('/app/market')
    await page.getByText('build two').waitFor()
  })

  test('shows what was read before without a line, says so, and forgets it with the sign-out', async () => {
    const market = await openMarket()
    onTestFinished(() => market.stop())
    const { context, page } = await open(market.url)
    await signIn(page)
    await untilWorking(page)
    await say(page, 'What time is it in Tokyo?')
    await page.getByRole('button', { name: /^Approve/ }).click()
    await page.getByText('We checked its form').waitFor()
    await page.reload()
    await page.getByText('We checked its form').waitFor()
    await context.setOffline(true)
    await page.getByText('You are offline.').first().waitFor()
    await page.reload()
    await page.getByText('We checked its form').waitFor()
    // A reloaded page does not always learn from Chromium that the line is cut.
    await page
      .getByText(/^(?:You are offline\.|Reconnecting …)/)
      .first()
      .waitFor()
    await context.setOffline(false)
    await page.goto('/app/me')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page
      .getByRole('button', { name: /demo wallet/ })
      .first()
      .waitFor()
    await until('the end of what was kept', () =>
      page.evaluate<boolean>(`caches.keys().then(it => it.every(one => !one.startsWith('kept ')))`),
    )
  })
})
