import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../service.ts'
import { findingsOf } from './axe.ts'
import { browserPath, openBrowser, visit } from './browser.ts'

const token = 'an operator of this market'
const leftOut = browserPath ? '' : ' (left out: there is no Chromium on this machine)'

describe.runIf(browserPath)(`in a browser${leftOut}`, () => {
  let market: TestService
  let browser: Browser
  beforeAll(async () => {
    ;[market, browser] = await Promise.all([startTestService({ env: { OPERATOR_TOKEN: token } }), openBrowser()])
  })
  afterAll(() => Promise.all([browser?.close(), market?.stop()]))

  test('the operator’s page shows nothing without the token; with it chains, wallets, backlog and leaders, on a phone too', async () => {
    const { page, complaints } = await visit(browser, market.url, { viewport: { width: 360, height: 740 } })
    await page.goto('/operator')
    expect(await findingsOf(page)).toEqual([])
    await page.getByLabel('Operator token').fill('a wrong token of nobody')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('That is not the token').waitFor()
    expect(await page.getByRole('heading', { name: 'Chains' }).isVisible()).toBe(false)
    // Chromium logs the refused request.
    complaints.splice(0)
    await page.getByLabel('Operator token').fill(token)
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('Nothing. All is well.').waitFor()
    await page.getByText(/block \d+, 0 not read yet/).waitFor()
    await page.getByText('treasury on chain 97:').waitFor()
    await page.getByText('alerts and retention').waitFor()
    expect(await findingsOf(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    await page.getByRole('button', { name: 'Forget the token' }).click()
    await page.getByLabel('Operator token').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    expect(complaints).toEqual([])
  })

  test('without an operator token in the settings there is no such page', async () => {
    const other = await startTestService()
    for (const path of ['/operator', '/operator/page.js', '/operator/state'])
      expect((await fetch(`${other.url}${path}`)).status).toBe(404)
    await other.stop()
  })
})
