import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestService } from '../service.ts'
import { findingsOf } from './axe.ts'
import { browserPath, openBrowser, visit } from './browser.ts'
import { openMarket } from './market.ts'
import { say, signIn } from './scene.ts'

const leftOut = browserPath ? '' : ' (left out: there is no Chromium on this machine)'

describe.runIf(browserPath)(`the account${leftOut}`, () => {
  let market: TestService
  let browser: Browser
  let allowed: Promise<void> | undefined
  beforeAll(async () => {
    ;[market, browser] = await Promise.all([openMarket(), openBrowser()])
    const offerings = [{ id: 'carve', name: 'Carve a spoon', description: 'Carves a spoon.', price: '0.30', slaMinutes: 30 }]
    await market.agent({
      ...{ handle: 'carver', offerings },
      handler: async () => {
        await allowed
        return 'One spoon'
      },
    })
  })
  afterAll(() => Promise.all([browser?.close(), market?.stop()]))

  test('shows where each amount came from and went, what is held and what came back, as a list, a week and a file', async () => {
    const { page, complaints } = await visit(browser, market.url, { viewport: { width: 1280, height: 900 } })
    await signIn(page)
    const { promise, resolve: allow } = Promise.withResolvers<void>()
    allowed = promise
    for (const words of ['What time is it in Lima?', 'What time is it in Atlantis?']) {
      await say(page, words)
      await page.getByRole('button', { name: /^Approve/ }).click()
      await page.getByRole('article').last().waitFor()
      await page.getByRole('button', { name: /^Approve/ }).waitFor({ state: 'detached' })
    }
    await page.getByText('could not do it').waitFor()
    await say(page, 'Hire agent carver to carve a spoon')
    await page.getByRole('button', { name: /^Approve/ }).click()
    await page.locator('.line4 [aria-current=step]').getByText('Working').waitFor()

    await page.getByRole('link', { name: 'Account', exact: true }).click()
    const rows = page.getByRole('region', { name: 'Activity' }).getByRole('listitem')
    await expect
      .poll(
        async () => {
          await page.reload()
          await rows.first().waitFor()
          return rows.count()
        },
        { timeout: 30_000 },
      )
      .toBe(5)
    const words = (await rows.allInnerTexts()).map(it => it.replace(/\s+/g, ' '))
    expect(words[0]).toMatch(/^Carve a spoon · [^·]+ carver · held until the work is checked · .* 0\.30 held$/)
    expect(words[1]).toMatch(/^Local time in a city · Atlantis city-clock · could not be done · .* back 0\.05$/)
    expect(words[2]).toMatch(/^Local time in a city · Atlantis city-clock · came back · .* −0\.05$/)
    expect(words[3]).toMatch(/^Local time in a city · Lima city-clock · .* −0\.05$/)
    expect(words[4]).toMatch(/^Demo money .* \+25\.00$/)
    await page.getByText('And 0.30 held safely for 1 running job.').waitFor()
    expect(await page.getByRole('region', { name: 'This week' }).innerText()).toMatch(/0\.35 USDC for 2 jobs, 0\.05 came back/)
    await page.getByLabel('Show').selectOption('Money back')
    await expect.poll(() => rows.count()).toBe(1)
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()])
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    expect([lines.length, lines[0]]).toEqual([6, expect.stringContaining('at,kind,amount')])
    // What is free, in millionths, as the header shows it: no amount here has more than two decimals.
    const sum = lines.slice(1).reduce((all, it) => all + Math.round(Number(it.split(',')[2]) * 1e6), 0)
    expect(await page.locator('.balance').innerText()).toContain((sum / 1e6).toFixed(2))
    expect(await findingsOf(page)).toEqual([])
    await page.setViewportSize({ width: 320, height: 640 })
    const isCut = '[...document.querySelectorAll("main :is(h1, h2, h3)")].filter(it => it.scrollWidth > it.clientWidth).length'
    expect(await page.evaluate(isCut)).toBe(0)
    await page.setViewportSize({ width: 1280, height: 900 })
    allow()
    await page.getByRole('region', { name: 'Activity' }).getByLabel('Show').selectOption('Hires')
    await rows.first().getByRole('link').click()
    await page.getByText('One spoon').first().waitFor()
    expect(complaints).toEqual([])
  })
})
