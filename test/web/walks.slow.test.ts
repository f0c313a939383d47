import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestClock, type TestService } from '../service.ts'
import { browserPath, openBrowser, visit } from './browser.ts'
import { changeUnderneath, editTogether } from './desk.ts'
import { openMarket } from './market.ts'
import { room, survey } from './offerings.ts'
import { publish, say, signIn } from './scene.ts'

const leftOut = browserPath ? '' : ' (left out: there is no Chromium on this machine)'

describe.runIf(browserPath)(`in a browser${leftOut}`, () => {
  const clock = createTestClock()
  let market: TestService
  let browser: Browser
  beforeAll(async () => {
    ;[market, browser] = await Promise.all([openMarket({ clock }), openBrowser()])
  })
  afterAll(() => Promise.all([browser?.close(), market?.stop()]))

  const enter = async () => {
    const visitor = await visit(browser, market.url)
    await signIn(visitor.page)
    return visitor
  }
  const approve = (page: Page) => page.getByRole('button', { name: /^Approve/ }).click()
  const downloaded = async (page: Page, name: string) => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
    return readFile(await file.path(), 'utf8')
  }
  const tokenOf = async (page: Page) => ({ authorization: `Bearer ${await page.evaluate("localStorage.getItem('session')")}` })
  const digestOf = (card: Locator) => card.locator('.more code').textContent()
  const balance = async (page: Page) => {
    await page.goto('/app/me')
    return page.getByRole('region', { name: 'Balance' }).locator('.usdc').textContent()
  }

  test('a new visitor signs in, asks, answers a question, approves, and sees deliverable and payment', async () => {
    const { page, complaints } = await enter()
    await say(page, 'Tell me the local time in a city')
    await page.getByRole('form', { name: 'Question' }).getByRole('textbox').fill('Tokyo')
    await page.getByRole('button', { name: 'Answer' }).click()
    const card = page.getByRole('region', { name: 'Proposal' })
    await card.getByRole('button', { name: /^Approve/ }).waitFor()
    expect(await card.getByLabel('City').inputValue()).toBe('Tokyo')
    expect(await card.innerText()).toMatch(/0\.05 USDC[\s\S]*You get\s+City, time zone[\s\S]*or your money is back within/)
    await approve(page)
    await page.locator('.result').getByText('Asia/Tokyo').waitFor()
    await page.getByRole('link', { name: 'Receipt' }).click()
    await page.getByText(/Done in/).waitFor()
    const money = page.getByRole('region', { name: 'Money' })
    await money.getByText('City Clock city-clock received').waitFor()
    expect(await money.locator('li').allInnerTexts()).toEqual([
      expect.stringMatching(/You paid\s+0\.05 USDC/),
      expect.stringMatching(/City Clock city-clock\s+received\s+0\.05 USDC/),
    ])
    expect(await page.locator('a[target=_blank]').count()).toBe(0) // an embedded chain is seen nowhere else
    await page.getByRole('button', { name: 'Show it as it came' }).click()
    expect(await downloaded(page, 'Download the result')).toBe(await page.locator('.fence pre').textContent())
    const receipt = z
      .object({
        terms: z.object({ digest: z.string() }),
        payments: z.array(z.looseObject({ type: z.string(), amount: z.string() })),
      })
      .parse(JSON.parse(await downloaded(page, 'Receipt')))
    expect(receipt.payments).toMatchObject([
      { type: 'escrow', amount: '0.05' },
      { type: 'payout', amount: '0.05' },
    ])
    await page.getByText('Technical details').click()
    await page.getByText(receipt.terms.digest).waitFor()
    await page.getByText('Report a problem').click()
    await page.getByLabel('What was wrong?').fill('An hour late')
    await page.getByRole('button', { name: 'Send the report' }).click()
    await page.getByText('Your report is recorded.').first().waitFor()
    expect(await balance(page)).toBe('24.95 USDC')
    expect(complaints).toEqual([])
  })

  test('a wallet that announces itself signs the shown text, and its user is signed in', async () => {
    const account = privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`)
    const { page, context } = await visit(browser, market.url)
    const signed: string[] = []
    await context.exposeFunction('walletAnswers', async (method: string, params: unknown[] = []) => {
      if (method === 'eth_requestAccounts') return [account.address]
      const [raw] = z.tuple([z.templateLiteral(['0x', z.string()]), z.string()]).parse(params)
      signed.push(Buffer.from(raw.slice(2), 'hex').toString())
      return account.signMessage({ message: { raw } })
    })
    await context.addInitScript(`addEventListener('eip6963:requestProvider', () => dispatchEvent(new CustomEvent('eip6963:announceProvider',
      { detail: { info: { uuid: 'test', name: 'Test Wallet' }, provider: { request: ({ method, params }) => walletAnswers(method, params) } } })))`)
    await page.goto('/')
    await page.getByRole('button', { name: 'Test Wallet' }).click()
    await page.getByRole('heading', { name: 'What do you need done?' }).waitFor()
    expect(signed).toEqual([expect.stringContaining('wants you to sign in with your Ethereum account')])
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Test Wallet' }).waitFor()
  })

  test('questions have suitable fields, a change voids the previous terms, and a no hires nothing', async () => {
    await market.agent({ handle: 'inn', offerings: [room], handler: async () => 'Room 12' })
    const { page, complaints } = await enter()
    const asked = page.waitForResponse('**/invoke')
    await say(page, 'Book a hotel room by the sea')
    const { run_id } = z.object({ run_id: z.string() }).parse(await (await asked).json())
    await page.getByLabel('Meals').selectOption('half board')
    await page.getByLabel('How many nights').fill('3')
    await page.getByLabel('The day you arrive').fill('2031-05-01')
    await page.getByLabel('With a balcony').check()
    await page.getByRole('button', { name: 'Answer' }).click()
    const cards = page.getByRole('region', { name: 'Proposal' })
    await cards.getByRole('button', { name: /^Approve/ }).waitFor()
    expect(await cards.getByLabel('Board').inputValue()).toBe('half board')
    expect(await cards.getByLabel('Nights').inputValue()).toBe('3')
    await cards.getByText('1 more detail').click()
    expect([await cards.getByLabel('Arrival').inputValue(), await cards.getByLabel('Balcony').isChecked()]).toEqual([
      '2031-05-01',
      true,
    ])
    const voided = await digestOf(cards)
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('What should be different?').fill('nights: 4')
    await page.getByRole('button', { name: 'Ask for new terms' }).click()
    await page.getByText('New terms for 4. The price is the same.').waitFor()
    await page.getByRole('button', { name: /^Approve/ }).waitFor()
    expect(await cards.count()).toBe(1)
    expect(await digestOf(cards.last())).not.toBe(voided)
    const late = { digest: voided, decision: 'yes', wait_ms: 0 }
    expect((await page.request.post(`/v1/hires/${run_id}/confirm`, { headers: await tokenOf(page), data: late })).status()).toBe(
      409,
    )
    await page.getByRole('button', { name: 'No, thanks' }).click()
    await page.getByText('Nothing was hired and nothing was paid.').waitFor()
    await page.getByText('You said no').waitFor()
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0)
    expect(await balance(page)).toBe('25.00 USDC')
    expect(complaints).toEqual([])
  })

  test('failed checks are shown one by one, and the run says where the money is', async () => {
    await market.agent({ handle: 'sloppy', offerings: [survey], handler: async () => 'not JSON' })
    const { page } = await enter()
    await say(page, 'Survey a garden plot')
    await approve(page)
    const end = page.getByRole('article', { name: 'Not done' })
    await end.getByText('could not do it').waitFor()
    await end.getByText('Money back', { exact: true }).waitFor()
    await end.getByText('are back in your account').waitFor()
    await end.getByRole('link', { name: 'What happened' }).click()
    await page.getByText('What happened').first().waitFor()
    await page.locator('.phase').filter({ hasText: 'checks passed' }).first().click()
    await page.getByText('did not pass').first().waitFor()
    const money = page.getByRole('region', { name: 'Money' })
    await money.getByText('Back to you').waitFor()
    expect(await money.locator('li').allInnerTexts()).toEqual([
      expect.stringMatching(/You paid\s+0\.30 USDC/),
      expect.stringMatching(/Back to you\s+0\.30 USDC/),
    ])
    expect(await balance(page)).toBe('25.00 USDC')
  })

  test('a reload during a run and a lost connection lose nothing, and a second tab sees the run end', async () => {
    const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
    await market.agent({
      handle: 'slow-hand',
      offerings: [
        { id: 'carve', name: 'Carve a spoon', description: 'Carves a wooden spoon by hand.', price: '0.30', slaMinutes: 30 },
      ],
      handler: async () => {
        await allowed
        return 'One spoon, of birch.'
      },
    })
    const { page, context } = await enter()
    await say(page, 'Carve a wooden spoon by hand: birch, 20 cm')
    await approve(page)
    const working = (tab: Page) => tab.locator('.line4 [aria-current=step]').getByText('Working').waitFor()
    await working(page)
    await page.reload()
    await working(page)
    const second = await context.newPage()
    await second.goto(page.url())
    await working(second)
    await context.setOffline(true)
    allow()
    await page.getByText('You are offline.').waitFor()
    await context.setOffline(false)
    for (const tab of [page, second]) await tab.locator('.result').getByText('One spoon, of birch.').waitFor()
    await page.getByText('Back again.').waitFor({ state: 'detached' })
    await page.reload()
    await page.locator('.result').getByText('One spoon, of birch.').waitFor()
    expect(await page.locator('.me').allTextContents()).toEqual(['Carve a wooden spoon by hand: birch, 20 cm'])
  })

  test('under a spending limit the butler hires without asking, until it is revoked', async () => {
    const { page, complaints } = await enter()
    await page.goto('/app/me')
    await page.getByText('New limit').click()
    await page.getByRole('button', { name: 'Set this limit' }).click()
    await page.getByText('0.00 of 5.00 used').waitFor()
    await page.goto('/')
    await say(page, 'What time is it in Rome?')
    await page.locator('.result').getByText('Europe/Rome').waitFor()
    await page.locator('.was > summary').click()
    await page.getByText('Hired under your spending limit.').waitFor()
    await page.goto('/app/me')
    await page.getByText('0.05 of 5.00 used').waitFor()
    await page.getByRole('button', { name: 'End it' }).click()
    await page.getByText('None: every hire waits for your yes.').waitFor()
    expect(complaints).toEqual([])
  })

  test('a provider is told what comes next, keeps offerings under concurrent edits, and sees a job and its payment arrive', async () => {
    const { page, context } = await enter()
    const path = await publish(page)
    const steps = page.getByRole('region', { name: 'To your first paid job' })
    await steps.locator('[aria-current=step]').getByText('Connect your program').waitFor()
    await editTogether(page, await context.newPage())
    await changeUnderneath(page)
    const agentId = decodeURIComponent(path.split('/').at(-1) ?? '')
    const buyer = await market.user('haiku-buyer')
    const asked = z
      .object({ run_id: z.string(), proposal: z.object({ digest: z.string() }) })
      .parse(await buyer.client.post('/v1/hires', { task: 'Write a haiku. text: an old pond' }))
    await buyer.client.post(`/v1/hires/${asked.run_id}/confirm`, { digest: asked.proposal.digest, decision: 'yes', wait_ms: 0 })
    const job = z
      .object({ job_id: z.string() })
      .parse(await buyer.client.get(`/gateway/jobs/poll?${new URLSearchParams({ agent: agentId, timeout: '20' })}`))
    await page.getByRole('cell', { name: 'working' }).waitFor()
    await buyer.client.post('/gateway/jobs/complete', { ...job, status: 'completed', result: { response: 'A frog jumps in' } })
    await page.getByRole('cell', { name: 'paid' }).waitFor()
    await steps.waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Earnings' }).getByText('0.10').first().waitFor()
    const withdrawal = page.getByRole('region', { name: 'Withdraw' })
    await withdrawal.getByRole('button', { name: 'Withdraw' }).click()
    await withdrawal.getByText('arrived').waitFor()
    await withdrawal.getByText('0.00 USDC in the agent').waitFor()
  })

  test('a hostile listing and a hostile deliverable change nothing on the page', async () => {
    const bait = '<script>window.stolen=1</script><img src=x onerror="window.stolen=1">'
    const hidden = '\u202egnihton\u202c\u200b\u2066\u0007'
    const start = `${bait}${hidden}</pre></figure><h1>Paid twice</h1>`
    const deliverable = start + 'A'.repeat(256 * 1024 - Buffer.byteLength(start))
    const mallory = await market.agent({
      handle: 'mallory',
      name: `${bait}Mallory`,
      description: bait,
      offerings: [
        {
          id: 'x',
          name: `Paint a fence ${bait}`,
          description: `Paints a fence green. ${bait}`,
          price: '0.20',
          slaMinutes: 5,
        },
      ],
      handler: async () => deliverable,
    })
    // An agent keeps names that an earlier release took.
    const { store } = market.service.world.deps
    const agent = await store.agent(mallory.agentId())
    if (!agent) throw new Error('no agent')
    await store.updateAgent(agent.key, { ...agent, name: `${bait}${hidden}Mallory` })
    const offered = await store.offerings(mallory.agentId())
    await store.putOfferings(
      agent.key,
      offered.map(it => ({ ...it, name: `${it.name}${hidden}` })),
    )
    const { page, complaints } = await enter()
    await page.goto('/app/market')
    await page.getByLabel('Search offerings').fill('paint a fence green')
    await page.getByRole('link', { name: /Paint a fence/ }).click()
    await page.getByText('Technical details').click()
    await page.getByRole('heading', { name: 'Recent payments' }).waitFor()
    await page.goto('/')
    await say(page, 'Paint a fence green')
    await approve(page)
    await page.getByRole('button', { name: 'Show it', exact: true }).click()
    await page.getByRole('button', { name: /Show all of it/ }).waitFor()
    expect((await page.locator('.result .body').innerText()).length).toBeLessThan(4_000)
    await page.getByRole('button', { name: 'Show it as it came' }).click()
    await page.getByText(`${deliverable.length.toLocaleString('en-US')} characters`).waitFor()
    expect((await page.locator('.fence pre').textContent())?.length).toBeLessThanOrEqual(4_000)
    expect(await page.locator('#page :is(script, img, iframe, object)').count()).toBe(0)
    expect(await page.getByRole('heading', { name: 'Paid twice' }).count()).toBe(0)
    expect(await page.locator('body').innerText()).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}]/u)
    expect(await page.evaluate('window.stolen')).toBeUndefined()
    expect(complaints).toEqual([])
  })

  // This test is last, because it advances the clock of the whole service.
  test('a proposal that lapsed cannot be approved, and asking again brings a fresh one', async () => {
    const { page } = await visit(browser, market.url)
    await page.clock.install()
    await signIn(page)
    await say(page, 'What time is it in Paris?')
    await page.getByRole('button', { name: /^Approve/ }).waitFor()
    const quarter = 16 * 60_000
    clock.advance(quarter, market.service.world.deps.wakeups)
    await page.clock.fastForward(quarter)
    await page.getByText(/^This offer ended at/).waitFor()
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Offer again' }).click()
    await page.getByRole('button', { name: /^Approve/ }).waitFor()
    expect(await balance(page)).toBe('25.00 USDC')
  })
})
