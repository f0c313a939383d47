import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { demoHandles } from '../../src/domain/agents/localAgents.ts'
import type { TestService } from '../service.ts'
import { findingsOf } from './axe.ts'
import { browserPath, openBrowser, visit } from './browser.ts'
import { openMarket } from './market.ts'
import { openView, type Scene, setScene } from './scene.ts'

const leftOut = browserPath ? '' : ' (left out: there is no Chromium on this machine)'

const phone = { width: 360, height: 740 }
/** A window of 1280 × 800 at a zoom of 200 %. */
const zoomed = { width: 640, height: 400 }

describe.runIf(browserPath)(`every view${leftOut}`, () => {
  let market: TestService
  let browser: Browser
  let scene: Scene
  beforeAll(async () => {
    ;[market, browser] = await Promise.all([openMarket({}, demoHandles), openBrowser()])
    scene = await setScene(browser, market)
    // The scene takes 20 s on an idle machine.
  }, 300_000)
  afterAll(() => Promise.all([browser?.close(), market?.stop()]))

  /** A signed-in visitor and a new one, each with a page for all views. */
  const openBoth = async () => ({
    known: await visit(browser, market.url, { storageState: scene.storageState }),
    stranger: await visit(browser, market.url),
  })

  test('has no serious axe finding, light and dark, fits a phone and a zoom of 200 %, and logs no error', async () => {
    const { known, stranger } = await openBoth()
    for (const view of scene.views) {
      const { name, isStranger } = view
      const { page, complaints } = isStranger ? stranger : known
      await page.setViewportSize({ width: 1200, height: 800 })
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await openView(page, view)
      const light = await findingsOf(page)
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
      const dark = await findingsOf(page, ['color-contrast'])
      const overhangs: number[] = []
      for (const size of [phone, zoomed]) {
        await page.setViewportSize(size)
        overhangs.push(z.number().parse(await page.evaluate('document.documentElement.scrollWidth - innerWidth')))
      }
      const seen = { name, light, dark, complaints, fits: Math.max(...overhangs) <= 0, titles: await page.locator('h1').count() }
      expect(seen).toEqual({ name, light: [], dark: [], complaints: [], fits: true, titles: 1 })
    }
    // Fifty axe runs take 20 s on an idle machine.
  }, 300_000)

  test('is reached by keyboard, and its heading has the focus when it opens', async () => {
    const { page } = await visit(browser, market.url, { storageState: scene.storageState })
    await page.goto('/')
    await page.getByText('What do you need done?').waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
    await page.getByRole('link', { name: 'Rankings' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('City Clock').first().waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Rankings')
    expect(await page.title()).toMatch(/^(?:\(\d+\) )?Rankings · Agent marketplace$/)
  })

  test('that fails says what to do and keeps the navigation', async () => {
    const { page } = await visit(browser, market.url, { storageState: scene.storageState })
    await page.route('**/rankings?*', route => route.fulfill({ json: [null] }))
    await page.goto('/app/rankings')
    await page.getByRole('heading', { name: 'This page broke' }).waitFor()
    await page.getByRole('link', { name: 'Market', exact: true }).click()
    await page.getByText('Draw a logo').first().waitFor()
    await page.unroute('**/rankings?*')
    await page.getByRole('link', { name: 'Rankings' }).click()
    await page.getByText('City Clock').first().waitFor()
  })

  test('whose script does not arrive says so, and is shown when the page is loaded again', async () => {
    const { page } = await visit(browser, market.url, { storageState: scene.storageState })
    await page.route('**/views*.js', route => route.abort())
    await page.goto('/app/connect')
    await page.getByRole('heading', { name: 'This page broke' }).waitFor()
    await page.unroute('**/views*.js')
    await page.getByRole('button', { name: 'Load again' }).click()
    await page.getByRole('heading', { name: 'This page broke' }).waitFor({ state: 'hidden' })
    await page.getByRole('heading', { level: 1 }).waitFor()
  })
})
