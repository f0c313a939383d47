import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cityClock } from '../../docs/examples/agents/cityClock.ts'
import { createAgent } from '../../src/kit/kit.ts'
import { beginLife } from '../faults/life.ts'
import { browserPath, openBrowser, visit } from './browser.ts'
import { say, signIn } from './scene.ts'

const leftOut = browserPath ? '' : ' (left out: there is no Chromium on this machine)'

/** Presses Tab until the control with this name has the focus. Fails after a hundred presses. */
const tabTo = async (page: Page, name: RegExp): Promise<void> => {
  const focused = `(() => { const it = document.activeElement
    return it === document.body ? '' : it.getAttribute('aria-label') || it.labels?.[0]?.textContent || it.textContent || '' })()`
  for (let presses = 0; presses < 100; presses += 1) {
    if (name.test(String(await page.evaluate(focused)).trim())) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not reach ${name}.`)
}

describe.runIf(browserPath)(`a small screen of a service process${leftOut}`, () => {
  let dir: string
  let browser: Browser
  let life: ReturnType<typeof beginLife>
  let url: string
  const begin = async (port = 0) => {
    life = beginLife({ dir, port })
    const begun = await life.url
    if (begun === undefined) throw new Error(await life.words)
    return begun
  }
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'marketplace-keyboard-'))
    ;[url, browser] = await Promise.all([begin(), openBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    life?.stop()
    await life?.ended
    await rm(dir, { recursive: true, force: true })
  })

  test('by keyboard alone a new visitor signs in, asks, approves, reads the result and its receipt', async () => {
    const options = { platformUrl: url, credential: { privateKey: generatePrivateKey() }, pollPauseMs: 20, log: () => undefined }
    const clock = await cityClock(options).start()
    const { page, complaints } = await visit(browser, url, { viewport: { width: 360, height: 740 } })
    await page.goto('/')
    await page.getByRole('button', { name: /demo wallet/ }).waitFor()
    await tabTo(page, /demo wallet/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'What do you need done?' }).waitFor()
    await tabTo(page, /Tell your butler/)
    await page.keyboard.type('What time is it in Tokyo?')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Approve/ }).waitFor()
    await tabTo(page, /^Approve/)
    await page.keyboard.press('Enter')
    await page.locator('.result').getByText('Asia/Tokyo').waitFor()
    await tabTo(page, /^Receipt/)
    await page.keyboard.press('Enter')
    await page.getByText('Technical details').waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/app\/runs\//)
    expect(complaints).toEqual([])
    await clock.stop()
  })

  test('while the service is killed during a run the page says so, and shows the result after its restart', async () => {
    const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
    const carver = createAgent({
      ...{ handle: 'carver', name: 'Carver', description: 'Carves spoons.', skills: [] },
      offerings: [{ id: 'carve', name: 'Carve a spoon', description: 'Carves a wooden spoon.', price: '0.30', slaMinutes: 30 }],
      handler: async () => {
        await allowed
        return 'One spoon, of birch.'
      },
      ...{ platformUrl: url, credential: { privateKey: generatePrivateKey() }, pollPauseMs: 50, retryPauseMs: 100 },
      log: () => undefined,
    })
    const running = await carver.start()
    const { page } = await visit(browser, url, { viewport: { width: 360, height: 740 } })
    await signIn(page)
    await say(page, 'Carve a wooden spoon of birch')
    await page.getByRole('button', { name: /^Approve/ }).click()
    await page.locator('.line4 [aria-current=step]').getByText('Working').waitFor()
    life.kill()
    await life.ended
    await page.locator('.bar').waitFor()
    const words = await page.locator('.bar').innerText()
    allow()
    await begin(Number(new URL(url).port))
    await page.locator('.result').getByText('One spoon, of birch.').waitFor()
    expect(words).toContain('Your job continues without this page.')
    expect(await page.locator('.me').allTextContents()).toEqual(['Carve a wooden spoon of birch'])
    await running.stop()
  })
})
