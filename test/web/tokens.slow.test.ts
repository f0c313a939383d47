import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ask, plain, provider } from '../hire/market.ts'
import { startTestService, type TestService } from '../service.ts'
import { findingsOf } from './axe.ts'
import { browserPath, openBrowser, visit } from './browser.ts'
import { signIn } from './scene.ts'

const leftOut = browserPath ? '' : ' (left out: there is no Chromium on this machine)'

describe.runIf(browserPath)(`in a browser${leftOut}`, () => {
  let market: TestService
  let browser: Browser
  beforeAll(async () => {
    ;[market, browser] = await Promise.all([startTestService(), openBrowser()])
  })
  afterAll(() => Promise.all([browser?.close(), market?.stop()]))

  test('an agent’s token is bought on its page after a yes to exact terms, and its price is drawn; other agents show none', async () => {
    const [coined, bare] = [await provider(market, plain('0.4'), 'coined'), await provider(market, plain('0.4'), 'bare')]
    const path = `/agents/${encodeURIComponent(coined.agentId)}/token`
    const body = { name: 'Coined', symbol: 'COIN' }
    expect(await ask({ url: market.url, token: coined.token }, path, { body })).toMatchObject({ status: 201 })

    const { page, complaints } = await visit(browser, market.url)
    await signIn(page)
    await page.goto(`/app/agents/${bare.agentId}`)
    await page.getByRole('heading', { name: 'bare' }).waitFor()
    expect(await page.getByText('A token is a speculation').count()).toBe(0)

    await page.goto(`/app/agents/${coined.agentId}`)
    const panel = page.getByRole('region', { name: /^Token COIN/ })
    await panel.getByText('A token is a speculation').waitFor()
    await panel.getByText('No trade in this time.').waitFor()
    await panel.getByLabel('Amount in USDC').fill('2')
    await panel.getByRole('button', { name: 'See the terms' }).click()
    await panel.getByText('You pay').waitFor()
    expect(await panel.innerText()).toMatch(
      /You pay 2\.00 USDC and get about [\d.]{1,4}K COIN\.\s+At least [\d.]{1,4}K COIN, or nothing is traded\. Fee 0\.02 USDC, included\. These terms hold for \d+:\d\d/,
    )
    expect(await panel.innerText()).not.toContain('Value of all tokens')
    const token = z.object({ token: z.string(), circulating: z.string() })
    const read = async () => token.parse((await ask({ url: market.url }, path)).body).circulating
    expect(await read()).toBe('0')
    await panel.getByRole('button', { name: 'Buy on these terms' }).click()
    await panel.getByText(/You received [\d.]{1,4}K COIN/).waitFor()
    expect(
      await panel
        .getByRole('status')
        .getByTitle(await read())
        .count(),
    ).toBe(1)
    await panel.getByText(/You hold [\d.]{1,4}K COIN\. A sale of all would bring 1\.9\d USDC/).waitFor()
    expect(await panel.innerText()).toMatch(/Value of all tokens\s+[\d,.]+ USDC/)
    await panel.getByRole('button', { name: 'Sell', exact: true }).click()
    await panel.getByRole('button', { name: 'Sell all' }).click()
    expect(await panel.getByLabel('Amount in COIN').inputValue()).toBe(await read())
    await panel.getByRole('img', { name: /Price from/ }).waitFor()
    expect(await findingsOf(page)).toEqual([])
    expect(complaints).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  })
})
