import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { z } from 'zod'
import { demoHandles } from '../../src/domain/agents/localAgents.ts'
import { bundle } from '../../src/http/pageScripts.ts'
import { findingsOf } from '../web/axe.ts'
import { browserPath, openBrowser, visit, watchShifts } from '../web/browser.ts'
import { openFullMarket } from '../web/fullMarket.ts'
import { openMarket } from '../web/market.ts'
import { openView, type Scene, say, setScene, signIn } from '../web/scene.ts'
import { percentile, round } from './measures.ts'

type Figures = {
  scriptGzipBytes: number
  views: number
  findings: number
  /** Bytes of the first load on the line, with its font. */
  firstLoadBytes: number
  /** Milliseconds until the first page can be used, and of a page of one line from the same service. */
  interactiveMs: number
  barePageMs: number
  interactiveByBare: number
  /** The same at 400 kbit/s and 150 ms of delay. */
  slowLineMs: number
  /** Layout shift (CLS) while a hire runs. */
  shift: number
  pageLoadMs: number
  firstWordMs: number
  firstWordByPageLoad: number
  /** Time between two frames while the market of 10,000 offerings is scrolled, the slowest of twenty. */
  scrollFrameP95Ms: number
}

/** Measures the web page in Chromium. Rejects when there is no Chromium. */
export const benchPage = async ({ rounds }: { rounds: number }): Promise<Figures> => {
  if (!browserPath) throw new Error('There is no Chromium on this machine; the page is measured in one.')
  const [market, browser] = await Promise.all([openMarket({}, demoHandles), openBrowser()])
  try {
    const scene = await setScene(browser, market)
    const times = await measure(browser, market.url, rounds)
    return {
      scriptGzipBytes: gzipSync((await bundle())[0].code, { level: 9 }).length,
      views: scene.views.length,
      findings: await countFindings(browser, scene),
      ...(await measureFirstLoad(browser, market.url, rounds)),
      shift: await measureShift(browser, market.url),
      scrollFrameP95Ms: await measureScroll(browser),
      ...times,
    }
  } finally {
    await browser.close()
    await market.stop()
  }
}

const countFindings = async (browser: Browser, { url, views, storageState }: Scene): Promise<number> => {
  let found = 0
  for (const view of views) {
    const { page, context } = await visit(browser, url, { reducedMotion: 'reduce', ...(!view.isStranger && { storageState }) })
    await openView(page, view)
    found += (await findingsOf(page)).length
    await context.close()
  }
  return found
}

const measure = async (browser: Browser, url: string, rounds: number) => {
  const { page } = await visit(browser, url)
  await signIn(page)
  const loads: number[] = []
  const words: number[] = []
  for (let at = 0; at < rounds; at++) {
    const begun = performance.now()
    await page.goto('/')
    await page.getByRole('heading', { name: 'What do you need done?' }).waitFor()
    const loaded = performance.now()
    await say(page, `What time is it in Tokyo?`)
    await page.locator('.thinking, .slip').first().waitFor()
    loads.push(loaded - begun)
    words.push(performance.now() - loaded)
  }
  const [pageLoadMs, firstWordMs] = [percentile(loads, 0.5), percentile(words, 0.5)].map(round)
  return {
    pageLoadMs: pageLoadMs ?? 0,
    firstWordMs: firstWordMs ?? 0,
    firstWordByPageLoad: round((firstWordMs ?? 0) / (pageLoadMs ?? 1)),
  }
}

/** Bytes a second at 400 kbit/s. */
const slowLine = { offline: false, latency: 150, downloadThroughput: 50_000, uploadThroughput: 50_000 }

/** Opens a path as a new visitor does, with an empty cache. Returns the bytes on the line and the time until `ready`. */
const load = async (
  browser: Browser,
  { url, path, ready, isSlow = false }: { url: string; path: string; ready: string; isSlow?: boolean },
) => {
  const { page, context } = await visit(browser, url)
  const line = await context.newCDPSession(page)
  await line.send('Network.enable')
  if (isSlow) await line.send('Network.emulateNetworkConditions', slowLine)
  let bytes = 0
  line.on('Network.loadingFinished', it => {
    bytes += it.encodedDataLength
  })
  const begun = performance.now()
  await page.goto(path, { waitUntil: 'commit' })
  await page.locator(ready).first().waitFor()
  const ms = performance.now() - begun
  await page.waitForLoadState('networkidle').catch(() => undefined)
  await context.close()
  return { ms, bytes }
}

const measureFirstLoad = async (browser: Browser, url: string, rounds: number) => {
  const door = { url, path: '/', ready: 'button:has-text("demo wallet")' }
  const found: { whole: number; bare: number; bytes: number }[] = []
  for (let at = 0; at < rounds; at++) {
    const bare = await load(browser, { url, path: '/livez', ready: 'body' })
    const whole = await load(browser, door)
    found.push({ whole: whole.ms, bare: bare.ms, bytes: whole.bytes })
  }
  const middle = (values: number[]) => round(percentile(values, 0.5))
  const [interactiveMs, barePageMs] = [middle(found.map(it => it.whole)), middle(found.map(it => it.bare))]
  return {
    firstLoadBytes: middle(found.map(it => it.bytes)),
    interactiveMs,
    barePageMs,
    interactiveByBare: round(interactiveMs / barePageMs),
    slowLineMs: round((await load(browser, { ...door, isSlow: true })).ms),
  }
}

/** Scrolls for three seconds, and notes the time of each frame. */
const scrolling = `new Promise(done => {
  const times = []
  const step = now => {
    times.push(now)
    scrollBy(0, 60)
    if (now - times[0] < 3000) requestAnimationFrame(step)
    else done(times)
  }
  requestAnimationFrame(step)
})`

const measureScroll = async (browser: Browser): Promise<number> => {
  const market = await openFullMarket(10_000)
  try {
    const { page, context } = await visit(browser, market.url, { viewport: { width: 1280, height: 800 } })
    await page.goto('/app/market')
    await page.locator('.tile-item').first().waitFor()
    const times = z.array(z.number()).parse(await page.evaluate(scrolling))
    await context.close()
    return round(
      percentile(
        times.slice(1).map((it, at) => it - (times[at] ?? it)),
        0.95,
      ),
    )
  } finally {
    await market.stop()
  }
}

const measureShift = async (browser: Browser, url: string): Promise<number> => {
  const { page, context } = await visit(browser, url, { viewport: { width: 1280, height: 800 } })
  await context.addInitScript(watchShifts)
  await signIn(page)
  await page.evaluate('window.shifts = 0')
  await say(page, 'What time is it in Oslo?')
  await page.getByRole('button', { name: /^Approve/ }).click()
  await page.locator('.result').getByText('Oslo', { exact: true }).waitFor()
  const shift = Number(await page.evaluate('window.shifts'))
  await context.close()
  return Math.round(shift * 10_000) / 10_000
}
