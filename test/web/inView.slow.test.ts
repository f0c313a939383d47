import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { TestService } from '../service.ts'
import { browserPath, openBrowser, visit, watchShifts } from './browser.ts'
import { openMarket } from './market.ts'
import { say, signIn } from './scene.ts'

const leftOut = browserPath ? '' : ' (left out: there is no Chromium on this machine)'

const addLateLine =
  "document.querySelector('.log-in').append(Object.assign(document.createElement('p'), { id: 'late', textContent: 'A late line. '.repeat(99) }))"

/** 400 kbit/s with 150 ms of delay. */
const slowLine = { offline: false, latency: 150, downloadThroughput: 50_000, uploadThroughput: 50_000 }

describe.runIf(browserPath)(`visibility on the page${leftOut}`, () => {
  let market: TestService
  let browser: Browser
  beforeAll(async () => {
    ;[market, browser] = await Promise.all([openMarket(), openBrowser()])
  })
  afterAll(() => Promise.all([browser?.close(), market?.stop()]))

  /** Whether the approve button is completely inside the window and not covered. */
  const isYesInView = async (page: Page): Promise<boolean> => {
    const yes = page.getByRole('button', { name: /^Approve/ })
    await yes.waitFor()
    const box = await yes.boundingBox()
    const { height = 0 } = page.viewportSize() ?? {}
    const onTop = await yes.evaluate(it => {
      const { x, y, width, height } = it.getBoundingClientRect()
      return it.contains(it.ownerDocument.elementFromPoint(x + width / 2, y + height / 2))
    })
    return box !== null && box.y >= 0 && box.y + box.height <= height && onTop
  }

  test.each([
    [1280, 800],
    [360, 740],
    [360, 420],
    [640, 400], // 1280 x 800 at a zoom of 200 %
  ])('the yes is in view at %i x %i, also at the end of a long conversation', async (width, height) => {
    const { page } = await visit(browser, market.url, { viewport: { width, height } })
    await signIn(page)
    for (const city of ['Tokyo', 'Lima', 'Rome']) {
      await say(page, `What time is it in ${city}?`)
      await expect.poll(() => isYesInView(page), { timeout: 20_000 }).toBe(true)
      await page.getByRole('button', { name: /^Approve/ }).click()
      await page.locator('.result').getByText(city, { exact: true }).waitFor()
    }
  })

  test('a reader who scrolled back stays there, and gets to the newest line by its button or by a new message', async () => {
    const { page } = await visit(browser, market.url, { viewport: { width: 360, height: 420 } })
    await signIn(page)
    const log = page.getByRole('region', { name: 'Messages' })
    const newest = page.getByRole('button', { name: 'Newest' })
    const scrollBack = async () => {
      await log.hover()
      await page.mouse.wheel(0, -5_000)
      await newest.waitFor()
    }
    await say(page, 'What time is it in Tokyo?')
    await expect.poll(() => isYesInView(page)).toBe(true)
    await scrollBack()
    await newest.click()
    await expect.poll(() => isYesInView(page)).toBe(true)
    await newest.waitFor({ state: 'detached' })
    await scrollBack()
    const asked = page.getByText('What time is it in Tokyo?', { exact: true }).first()
    const before = await asked.boundingBox()
    await page.evaluate(addLateLine)
    await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
    expect(await asked.boundingBox()).toEqual(before)
    await newest.waitFor()
    await page.locator('#late').evaluate(it => it.remove())
    await say(page, 'What time is it in Lima?')
    await page.getByRole('button', { name: /^Approve/ }).waitFor()
    await newest.waitFor({ state: 'detached' })
    await expect.poll(() => isYesInView(page)).toBe(true)
  })

  test('nothing jumps while a hire runs', async () => {
    const { page, context } = await visit(browser, market.url, { viewport: { width: 1280, height: 800 } })
    await context.addInitScript(watchShifts)
    await signIn(page)
    await page.evaluate('window.shifts = 0')
    await say(page, 'What time is it in Oslo?')
    await page.getByRole('button', { name: /^Approve/ }).click()
    await page.locator('.result').getByText('Oslo', { exact: true }).waitFor()
    expect(z.number().parse(await page.evaluate('window.shifts'))).toBeLessThanOrEqual(0.02)
  })

  test('a hire on a line of 400 kbit/s with reduced motion is followed to its result, there and on a second device', async () => {
    const { page, context } = await visit(browser, market.url, { reducedMotion: 'reduce' })
    await signIn(page)
    const other = await visit(browser, market.url, { storageState: await context.storageState() })
    await other.page.goto('/')
    await other.page.getByRole('heading', { name: 'What do you need done?' }).waitFor()
    const line = await context.newCDPSession(page)
    await line.send('Network.emulateNetworkConditions', slowLine)
    await page.reload()
    await say(page, 'What time is it in Quito?')
    await page.getByRole('button', { name: /^Approve/ }).click()
    await page.locator('.result').getByText('Quito', { exact: true }).waitFor()
    await other.page.getByRole('link', { name: /Quito/ }).click()
    await other.page.locator('.result').getByText('Quito', { exact: true }).waitFor()
    // What is written on the second device is seen on the first.
    await say(other.page, 'What time is it in Bern?')
    await page.getByRole('button', { name: /^Approve/ }).waitFor()
    expect(await page.evaluate('document.getAnimations().filter(it => it.playState === "running").length')).toBe(0)
  })

  test('an input edited in place makes new terms, and a yes during the edit is not given for them', async () => {
    const { page } = await visit(browser, market.url)
    await signIn(page)
    await say(page, 'What time is it in Paris?')
    const slip = page.getByRole('region', { name: 'Proposal' })
    await slip.getByLabel('City').fill('Madrid')
    await slip.getByRole('button', { name: /^Updat(?:e|ing) the terms|^Approve/ }).click({ force: true })
    await page.getByText('New terms for Madrid. The price is the same.').waitFor()
    expect(await page.locator('.result').count()).toBe(0)
    await page.getByRole('button', { name: /^Approve/ }).click()
    await page.locator('.result').getByText('Europe/Madrid').waitFor()
  })
})
