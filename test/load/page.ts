import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { demoHandles } from '../../src/domain/localAgents.ts'
import { bundle } from '../../src/http/page.ts'
import { seriousOf } from '../web/axe.ts'
import { browserPath, openBrowser, visit } from '../web/browser.ts'
import { openMarket } from '../web/market.ts'
import { type Scene, say, setScene, signIn } from '../web/scene.ts'
import { percentile, round } from './measures.ts'

type Figures = {
  scriptGzipBytes: number
  views: number
  seriousFindings: number
  pageLoadMs: number
  firstWordMs: number
  firstWordByPageLoad: number
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
      seriousFindings: await countFindings(browser, scene),
      ...times,
    }
  } finally {
    await browser.close()
    await market.stop()
  }
}

const countFindings = async (browser: Browser, { url, views, storageState }: Scene): Promise<number> => {
  let found = 0
  for (const { path, ready, isStranger } of views) {
    const { page, context } = await visit(browser, url, { reducedMotion: 'reduce', ...(!isStranger && { storageState }) })
    await page.goto(path)
    await page.getByText(ready).first().waitFor()
    found += (await seriousOf(page)).length
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
