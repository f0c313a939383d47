import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestService } from '../service.ts'
import { browserPath, openBrowser, visit } from './browser.ts'
import { openMarket } from './market.ts'

const leftOut = browserPath ? '' : ' (left out: no Chromium on this machine)'

describe.runIf(browserPath)(`the page${leftOut}`, () => {
  let market: TestService
  let browser: Browser
  beforeAll(async () => {
    ;[market, browser] = await Promise.all([openMarket(), openBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await market?.stop()
  })

  const say = async (page: Page, words: string) => {
    await page.getByLabel('Tell your butler').fill(words)
    await page.getByRole('button', { name: 'Send' }).click()
  }

  test('a new visitor signs in, asks, approves, and sees deliverable and settled payment', async () => {
    const { page, complaints } = await visit(browser, market.url)
    await page.goto('/')
    await page.getByRole('button', { name: 'Use a demo wallet' }).click()
    await say(page, 'What time is it in Tokyo?')
    await page.getByRole('button', { name: /Approve/ }).click()
    await page.getByText('Written by the agent, not by us').waitFor()
    expect(await page.locator('.fence pre').textContent()).toContain('Asia/Tokyo')
    expect(complaints).toEqual([])
  })
})
