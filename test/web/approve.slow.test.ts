import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, openFormer, task, toRun } from '../mcp/clients.ts'
import type { TestService } from '../service.ts'
import { findingsOf } from './axe.ts'
import { browserPath, openBrowser, visit } from './browser.ts'
import { openMarket } from './market.ts'
import { signIn } from './scene.ts'

const leftOut = browserPath ? '' : ' (left out: there is no Chromium on this machine)'

describe.runIf(browserPath)(`in a browser${leftOut}`, () => {
  let market: TestService
  let browser: Browser
  let hosts: Host[] = []
  beforeAll(async () => {
    ;[market, browser] = await Promise.all([openMarket(), openBrowser()])
  })
  afterAll(async () => {
    await Promise.all(hosts.map(it => it.close()))
    await Promise.all([browser?.close(), market?.stop()])
  })

  const connect = async (token?: string) => {
    const requestInit = { headers: token ? { authorization: `Bearer ${token}` } : {} }
    const host = await openFormer(new FormerTransport(new URL(`${market.url}/mcp`), { requestInit }))
    hosts = [...hosts, host]
    return host
  }
  /** A model proposes a hire and waits for the yes that it cannot give. */
  const propose = async (token?: string) => {
    const host = await connect(token)
    const told = toRun(await host.call('hire', { task }))
    const waiting = host.call('confirm_hire', { run_id: told.run_id, digest: told.proposal?.digest ?? '', decision: 'yes' })
    return { address: told.approve_url ?? '', waiting: waiting.then(toRun) }
  }
  const slip = (page: Page) => page.getByRole('region', { name: 'Proposal' })

  test('one click opens the address as the demo user of the local world, a second one approves, and the program gets the result', async () => {
    const { address, waiting } = await propose()
    const { page, complaints } = await visit(browser, market.url)
    await page.goto(address)
    await page.getByRole('button', { name: 'Open as the demo user' }).click()
    await slip(page)
      .getByRole('button', { name: /^Approve 0\.05 USDC/ })
      .waitFor()
    expect(await slip(page).innerText()).toMatch(/0\.05 USDC[\s\S]*You get\s+City, time zone/)
    await slip(page)
      .getByRole('button', { name: /^Approve/ })
      .click()
    await page.locator('.result').getByText('Asia/Tokyo').waitFor()
    expect(await waiting).toMatchObject({ state: 'completed', job: { state: 'settled', amount: '0.05' } })
    await page.getByRole('link', { name: 'Open the conversation' }).click()
    await page.getByLabel('Tell your butler').waitFor()
    expect(complaints).toEqual([])
  })

  test('a no on the page hires nothing and ends the waiting, and another user sees nothing of the proposal', async () => {
    const ada = await visit(browser, market.url)
    await signIn(ada.page)
    const { address, waiting } = await propose(await anotherToken(ada.page))
    expect(address).not.toContain('demo')
    const stranger = await visit(browser, market.url)
    await stranger.page.goto(address)
    await stranger.page.getByRole('button', { name: /demo wallet/ }).click()
    await stranger.page.getByText('belongs to another user').waitFor()
    expect(await stranger.page.getByText('Local time').count()).toBe(0)
    await ada.page.goto(address)
    await slip(ada.page)
      .getByRole('button', { name: /^Approve/ })
      .waitFor()
    expect(await findingsOf(ada.page)).toEqual([])
    await ada.page.getByRole('button', { name: 'No, thanks' }).click()
    await ada.page.getByText('You said no').waitFor()
    expect((await waiting).job).toBeUndefined()
  })

  /** A second token of the browser's demo wallet, as a person gives it to a program. */
  const anotherToken = async (page: Page) =>
    String(
      await page.evaluate(`(async () => {
        const post = (path, body) => fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then(it => it.json())
        const { code } = await post('/v1/init', true)
        const { token } = await post('/v1/approve/demo', { code, secret: localStorage.getItem('demo-wallet'), hand_over: false })
        return token
      })()`),
    )
})
