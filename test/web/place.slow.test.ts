import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { TestService } from '../service.ts'
import { browserPath, openBrowser, visit } from './browser.ts'
import { openFullMarket } from './fullMarket.ts'
import { openMarket } from './market.ts'
import { say, signIn } from './scene.ts'

const leftOut = browserPath ? '' : ' (left out: there is no Chromium on this machine)'

/** An agent that works until it is allowed to end. */
const carver = async (market: TestService, handle: string) => {
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
  const name = `Carve a ${handle}`
  const agent = await market.agent({
    ...{ handle, name: handle },
    offerings: [{ id: 'carve', name, description: `Carves a ${handle} by hand.`, price: '0.30', slaMinutes: 30 }],
    handler: async () => {
      await allowed
      return `One ${handle}, of birch.`
    },
  })
  return { name, order: `Hire agent ${handle} to carve a ${handle}`, allow, agent }
}

describe.runIf(browserPath)(`where things are${leftOut}`, () => {
  let market: TestService
  let browser: Browser
  beforeAll(async () => {
    ;[market, browser] = await Promise.all([openMarket({}, ['city-clock', 'demo-charts']), openBrowser()])
  })
  afterAll(() => Promise.all([browser?.close(), market?.stop()]))

  const enter = async (options: Parameters<Browser['newContext']>[0] = {}) => {
    const visitor = await visit(browser, market.url, { viewport: { width: 1280, height: 800 }, ...options })
    await signIn(visitor.page)
    return visitor
  }
  const hire = async (page: Page, words: string) => {
    await say(page, words)
    await page.getByRole('button', { name: /^Approve/ }).click()
  }

  test('a job that its agent did not take says so at once, without a reload, and can be cancelled', async () => {
    const { order, agent } = await carver(market, 'ladle')
    await agent.stop()
    const { page } = await enter()
    await hire(page, order)
    const progress = page.getByRole('group', { name: 'Progress' })
    await progress.getByText('Waiting for ladle').waitFor()
    await progress.locator('.line4 [aria-current=step]').getByText('Waiting').waitFor()
    await progress.getByText(/^By .*, or your money is back by/).waitFor()
    await progress.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('article', { name: 'Not done' }).getByText('are back in your account').waitFor()
  })

  test('a job that opens while the page reads its run has its deadlines all the same', async () => {
    const { order, allow } = await carver(market, 'fork')
    const { page } = await enter()
    await page.route(/\/runs\/[^/]+\?deliverable/, async route => {
      const response = await route.fetch()
      const run = await response.json()
      // The record of a run without a job arrives when its job is open already.
      if (run.state === 'working' && !run.job) await new Promise(done => setTimeout(done, 2_000))
      await route.fulfill({ response })
    })
    await hire(page, order)
    const progress = page.getByRole('group', { name: 'Progress' })
    await progress.getByText(/^By .*, or your money is back by/).waitFor()
    allow()
  })

  test('an answer taller than the view is shown from its beginning, and a short one whole', async () => {
    const lines = Array.from({ length: 60 }, (_, at) => `Chapter ${at + 1}\n\nThe ships came to the harbour.`).join('\n\n')
    const offerings = [{ id: 'novel', name: 'Write a novel', description: 'A novel.', price: '0.10', slaMinutes: 5 }]
    await market.agent({ handle: 'novelist', offerings, handler: async () => lines })
    const { page } = await enter({ viewport: { width: 1280, height: 600 } })
    await hire(page, 'Hire agent novelist to write a novel about ships')
    await page.locator('.result').getByText('Chapter 1', { exact: false }).first().waitFor()
    const topOf = async () =>
      Number(
        await page.evaluate(`document.querySelector('.result').getBoundingClientRect().top -
          document.querySelector('.log').getBoundingClientRect().top`),
      )
    await expect.poll(topOf).toBeGreaterThanOrEqual(0)
    expect(await topOf()).toBeLessThan(20)
    await page.getByRole('button', { name: 'Newest' }).click()
    await page.getByText('We checked its form').waitFor()
    await hire(page, 'What time is it in Lima?')
    await page.locator('.result').getByText('Lima', { exact: true }).waitFor()
    await expect.poll(() => page.getByText('We checked its form').last().isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Newest' }).waitFor({ state: 'detached' })
  })

  test('a job that ends out of view is named, and a tap leads to its result', async () => {
    const { order, allow, name } = await carver(market, 'spoon')
    const { page } = await enter({ viewport: { width: 1280, height: 600 } })
    await hire(page, order)
    await page.locator('.line4 [aria-current=step]').getByText('Working').waitFor()
    for (const city of ['Oslo', 'Lima']) {
      await hire(page, `What time is it in ${city}?`)
      await page.locator('.result').getByText(city, { exact: true }).waitFor()
    }
    allow()
    await page.getByRole('button', { name: `${name} is ready` }).click()
    await page.getByText('One spoon, of birch.').waitFor()
    await page.getByRole('button', { name: `${name} is ready` }).waitFor({ state: 'detached' })
    // A slip that was removed while it was drawn does not come back.
    expect(await page.getByRole('region', { name: 'Proposal' }).count()).toBe(0)
  })

  test('a job that ends in another conversation marks it in the list and counts in the title, until it is looked at', async () => {
    const { order, allow } = await carver(market, 'bowl')
    const { page } = await enter()
    await hire(page, order)
    await page.locator('.line4 [aria-current=step]').getByText('Working').waitFor()
    await page.getByRole('link', { name: 'New conversation' }).click()
    await page.getByRole('heading', { name: 'What do you need done?' }).waitFor()
    const icon = () => page.locator('link[rel=icon]').getAttribute('href')
    expect([await page.title(), await icon()]).toEqual(['What do you need done? · Agent marketplace', '/favicon.ico'])
    allow()
    await expect.poll(() => page.title(), { timeout: 20_000 }).toBe('(1) What do you need done? · Agent marketplace')
    expect(await icon()).toMatch(/^blob:/)
    await page.getByRole('link', { name: /^New: .*carve a bowl/ }).click()
    await page.getByText('One bowl, of birch.').waitFor()
    await expect.poll(() => page.title()).toBe('Conversation · Agent marketplace')
    expect(await page.getByRole('img', { name: 'New' }).count()).toBe(0)
  })

  test('a second tab shows the messages of the first', async () => {
    const { page, context } = await enter()
    await hire(page, 'What time is it in Rome?')
    await page.locator('.result').waitFor()
    const other = await context.newPage()
    await other.goto(page.url())
    await other.locator('.result').waitFor()
    await say(page, 'What time is it in Paris?')
    await other.getByText('What time is it in Paris?').first().waitFor()
    await other.getByRole('button', { name: /^Approve/ }).waitFor()
  })

  test('the market leads to each of 10,000 offerings, draws few of them, and Back from an agent returns to the same place', async () => {
    const full = await openFullMarket(10_000)
    onTestFinished(full.stop)
    const { page } = await visit(browser, full.url, { viewport: { width: 1280, height: 800 } })
    await page.goto('/app/market')
    await page.getByRole('status').getByText('10,001 offerings').waitFor()
    const tiles = page.locator('.tile-item')
    const most = async () => expect(await tiles.count()).toBeLessThan(200)
    await page.evaluate('scrollTo(0, document.body.scrollHeight / 2)')
    await page.getByText('Agent 1000', { exact: true }).first().waitFor({ state: 'attached' })
    await most()
    await expect
      .poll(async () => {
        await page.evaluate('scrollTo(0, document.body.scrollHeight)')
        return (await tiles.last().boundingBox())?.y ?? 0
      })
      .toBeLessThan(800)
    await most()
    const last = tiles.last()
    const [name, before] = [await last.innerText(), (await last.boundingBox())?.y ?? 0]
    await last.getByRole('link').click()
    await page.waitForURL('**/app/agents/**')
    await tiles.first().waitFor({ state: 'detached' })
    await page.goBack()
    await tiles
      .filter({ hasText: name.split('\n')[0] ?? '' })
      .last()
      .waitFor()
    await expect.poll(async () => Math.abs(((await tiles.last().boundingBox())?.y ?? 0) - before)).toBeLessThan(40)
    expect(await tiles.last().innerText()).toBe(name)
    await most()
  })

  test('an address of somebody else says that it is not yours', async () => {
    const { page } = await enter()
    await say(page, 'What time is it in Bern?')
    const asked = page.waitForResponse('**/runs/**')
    await page.getByRole('button', { name: /^Approve/ }).waitFor()
    const [run = ''] = /\/runs\/[^/?]+/.exec((await asked).url()) ?? []
    const other = await enter()
    await other.page.goto(page.url())
    await other.page.getByRole('heading', { name: 'Not your conversation' }).waitFor()
    expect(await other.page.getByLabel('Tell your butler').count()).toBe(0)
    await other.page.goto(`/app${run}`)
    await other.page.getByRole('heading', { name: 'Not your run' }).waitFor()
    await page.goto(`/app${run}`)
    await page.getByText('Your butler waits for you.').waitFor()
  })

  test('on paper the work stands without the controls of the page, and fields side by side have one height', async () => {
    const { page } = await enter({ viewport: { width: 1280, height: 800 } })
    await hire(page, 'What time is it in Bern?')
    await page.locator('.result').getByText('Bern', { exact: true }).waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.result').getByText('Bern', { exact: true }).isVisible()).toBe(true)
    for (const it of ['.top', '.composer', '.convs', '.result .tools']) expect(await page.locator(it).isVisible()).toBe(false)
    await page.emulateMedia({ media: 'screen' })
    await page.goto('/app/me/agents')
    const boxes = await Promise.all(['Name', 'Handle'].map(it => page.getByLabel(it, { exact: true }).boundingBox()))
    expect([boxes[0]?.y, boxes[0]?.height]).toEqual([boxes[1]?.y, boxes[1]?.height])
  })
})
