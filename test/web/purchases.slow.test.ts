import { stat } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lower, type Seller, startSeller } from '../features/x402Buying/seller.ts'
import { createTestClock, startTestService, type TestService } from '../service.ts'
import { findingsOf } from './axe.ts'
import { browserPath, openBrowser, visit } from './browser.ts'
import { say, signIn } from './scene.ts'

const leftOut = browserPath ? '' : ' (left out: there is no Chromium on this machine)'
/** Longer than a signed payment of the seller is valid, and shorter than a proposal. */
const expiredMs = 8 * 60_000
const payee = lower(`0x${'5e'.repeat(20)}`)

describe.runIf(browserPath)(`in a browser${leftOut}`, () => {
  const time = createTestClock()
  let market: TestService
  let browser: Browser
  let seller: Seller
  beforeAll(async () => {
    ;[market, browser] = await Promise.all([startTestService({ clock: time }), openBrowser()])
    seller = await startSeller(market, payee)
  })
  afterAll(async () => {
    await seller?.stop()
    await Promise.all([browser?.close(), market?.stop()])
  })

  const paidOut = async () => market.service.world.deps.chains.get(97)?.usdcBalance(payee)
  const enter = async () => {
    const visitor = await visit(browser, market.url)
    await signIn(visitor.page)
    return visitor
  }
  const slipOf = (page: Page) => page.getByRole('region', { name: 'Proposal' })
  const approve = (page: Page) => page.getByRole('button', { name: /^Approve 0\.02 USDC$/ })
  const overhang = (page: Page) => page.evaluate('document.documentElement.scrollWidth - innerWidth')
  const host = () => new URL(seller.url).host

  test('a long answer is downloaded whole', async () => {
    const { page } = await enter()
    await say(page, `buy ${seller.url}/long?bytes=1000000`)
    await approve(page).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the whole answer' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^result-.*\.wav$/)
    expect((await stat(await file.path())).size).toBe(1_000_000)
  })

  test('a paid address goes from a sentence over a slip with all terms and one click to its drawn answer and its run', async () => {
    const before = (await paidOut()) ?? 0n
    const { page, complaints } = await enter()
    await say(page, `please pay ${seller.url}/echo with {"say":"<img src=x onerror=alert(1)>","list":[{"city":"Bern","eur":3}]}`)
    const slip = slipOf(page)
    await approve(page).waitFor()
    await slip.getByText('USDC · the local test chain').waitFor()
    const shown = await slip.innerText()
    for (const it of [host(), 'POST /echo', 'with your JSON', '0.02', '0x5e5e…5e5e', 'Paid directly, no refund'])
      expect(shown).toContain(it)
    await slip.getByText('Details').click()
    expect(await slip.innerText()).toMatch(
      new RegExp(`SHA-256 of your JSON\\s+[0-9a-f]{64}[^]*${payee}[^]*counts for nothing else`),
    )
    expect(await findingsOf(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect([await overhang(page), await paidOut()]).toEqual([0, before])
    await page.reload()
    await approve(page).waitFor()
    const button = await approve(page).boundingBox()
    expect((button?.y ?? 999) + (button?.height ?? 999)).toBeLessThanOrEqual(740)

    await approve(page).click()
    const result = page.getByRole('article', { name: `Result from ${host()}` })
    await result.getByText('0.02 USDC paid').waitFor()
    expect(await paidOut()).toBe(before + 20_000n)
    await result.getByText('<img src=x onerror=alert(1)>').waitFor()
    await result.getByRole('cell', { name: 'Bern' }).waitFor()
    expect(await result.locator('img').count()).toBe(0)
    await page.getByText('Paid 0.02', { exact: true }).waitFor()
    expect(await approve(page).count()).toBe(0)
    expect(await overhang(page)).toBe(0)
    expect(await findingsOf(page)).toEqual([])

    await result.getByRole('link', { name: 'Receipt' }).click()
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await page.getByText('You paid').waitFor()
    // The conversation is left when the view of the run is there.
    await page.getByText('Paid in').waitFor()
    const run = await page.getByRole('main').innerText()
    for (const it of ['the seller named its price', 'the seller got its money', 'Paid in', 'paid by the seller'])
      expect(run).toContain(it)
    expect(run).not.toMatch(/agent|Held safely|job/i)
    expect([await overhang(page), await findingsOf(page), complaints]).toEqual([0, [], []])
  })

  test('a declined, a replaced and an expired slip of a purchase are closed, and nothing is paid', async () => {
    const before = await paidOut()
    const { page } = await enter()
    await say(page, `buy ${seller.url}/weather`)
    await approve(page).waitFor()
    await slipOf(page).getByText('“Weather of today”').waitFor()
    seller.ask(10_000n)
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('What should be different?').fill('make it at most 0.015')
    await page.getByRole('button', { name: 'Ask for new terms' }).click()
    await page.getByText('The price was 0.02.').waitFor()
    seller.ask(20_000n)
    expect(await slipOf(page).count()).toBe(1)
    await page.getByRole('button', { name: 'No, thanks' }).click()
    await page.getByText('You said no').waitFor()
    expect(await slipOf(page).count()).toBe(0)

    await page.goto('/')
    await say(page, `buy ${seller.url}/weather`)
    await approve(page).waitFor()
    await page.clock.install({ time: Date.now() + 16 * 60_000 })
    await page.reload()
    await page.getByText(/^This offer ended at .* Nothing was paid\.$/).waitFor()
    expect([await approve(page).count(), await paidOut()]).toEqual([0, before])
  })

  test('a seller that takes the money and gives no answer is shown as a failure that says where the money went', async () => {
    const before = (await paidOut()) ?? 0n
    const { page } = await enter()
    // A standard seller refuses the used payment when it is sent again.
    seller.drop(2)
    await say(page, `buy ${seller.url}/weather`)
    await approve(page).click()
    const failure = page.getByRole('article', { name: 'Not done' })
    await failure.getByText(`${host()} was paid and did not deliver`).waitFor()
    seller.drop(0)
    await failure.getByText('Your 0.02 USDC went to 0x5e5e…5e5e. A direct payment cannot be taken back.').waitFor()
    await page.getByText('Paid 0.02', { exact: true }).waitFor()
    expect([await paidOut(), await findingsOf(page)]).toEqual([before + 20_000n, []])
  })

  test('a purchase whose payment expires unused is shown as not paid, also in its run, and asks for the price again', async () => {
    const before = await paidOut()
    // The clock of the service is behind, so the signed payment has expired when it reaches the seller.
    time.advance(-expiredMs, market.service.world.deps.wakeups)
    const { page } = await enter()
    await say(page, `buy ${seller.url}/weather`)
    await approve(page).click()
    const failure = page.getByRole('article', { name: 'Not done' })
    await failure.getByText(`${host()} was not paid`).waitFor()
    await failure.getByText('Your 0.02 USDC stayed in your account.').waitFor()
    expect([await paidOut(), await findingsOf(page)]).toEqual([before, []])
    await failure.getByRole('link', { name: 'What happened' }).click()
    await page.getByText('your money stayed with you').waitFor()
    await page.getByText('No money has moved.').waitFor()
    expect(await page.getByRole('main').innerText()).not.toMatch(/agent|Held safely|job/i)
    await page.goBack()
    await page.getByRole('button', { name: 'Ask for the price again' }).click()
    await approve(page).waitFor()
    time.advance(expiredMs, market.service.world.deps.wakeups)
  })
})
