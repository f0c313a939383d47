import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ask as askOf } from '../hire/market.ts'
import type { TestService } from '../service.ts'
import { browserPath, openBrowser, visit } from './browser.ts'
import { openMarket } from './market.ts'
import { publish, say, signIn } from './scene.ts'

/** A time of today, or a day and a time: a deadline can be on the next day. */
const moment = '(?:\\w+ \\d+, \\d{4}, )?\\d+:\\d\\d [AP]M'

const leftOut = browserPath ? '' : ' (left out: there is no Chromium on this machine)'

describe.runIf(browserPath)(`on the page${leftOut}`, () => {
  let market: TestService
  let browser: Browser
  beforeAll(async () => {
    ;[market, browser] = await Promise.all([openMarket(), openBrowser()])
  })
  afterAll(() => Promise.all([browser?.close(), market?.stop()]))

  const enter = async () => {
    const { page, context } = await visit(browser, market.url)
    await signIn(page)
    return { page, context }
  }
  const focused = (page: Page) => page.evaluate('document.activeElement.id || document.activeElement.ariaLabel')
  const ask = async (page: Page, city: string) => {
    await page.goto('/')
    await say(page, `What time is it in ${city}?`)
    await page.getByRole('button', { name: /^Approve/ }).waitFor()
  }

  test('the market says how many offerings there are, and shows all of them as one scrolls', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `Knit a sock of size ${index + 1}`)
    const offerings = names.map((name, index) => ({
      ...{ id: `sock-${index}`, name, description: `${name}, in wool.`, price: '0.10', slaMinutes: 5 },
    }))
    await market.agent({ handle: 'knitter', offerings, handler: async () => 'One sock' })
    const { page } = await visit(browser, market.url)
    await page.goto('/app/market')
    const { total } = z.object({ total: z.number() }).parse(await (await fetch(`${market.url}/services`)).json())
    await page.getByText(`${total} offerings`, { exact: true }).waitFor()
    // Each page is drawn as the view comes near it.
    const seen = new Set<string>()
    const look = async (at: number) => {
      await page.evaluate(`scrollTo(0, document.body.scrollHeight * ${at})`)
      // One look, because a page of tiles may leave while its tiles are asked one by one.
      const shown = await page.locator('.tile').evaluateAll(tiles => tiles.map(it => String(it.getAttribute('href'))))
      for (const it of shown) seen.add(it)
      return seen.size
    }
    await expect.poll(() => look(0), { timeout: 20_000 }).toBe(24)
    await expect.poll(() => look(1), { timeout: 20_000 }).toBe(total)
    await page.getByLabel('Search offerings').fill('knit a sock')
    await page.getByText('40 offerings for “knit a sock”').waitFor()
    await expect.poll(() => page.locator('.tile').count(), { timeout: 20_000 }).toBe(40)
  })

  test('an offering without input fields is ordered in the user’s own words', async () => {
    const offerings = [{ id: 'ode', name: 'Write an ode', description: 'An ode.', price: '0.10', slaMinutes: 5 }]
    const running = await market.agent({ handle: 'odist', offerings, handler: async ({ text }) => `Ode to ${text}` })
    const { page } = await enter()
    await page.goto(`/app/agents/${running.agentId()}`)
    const offer = page.getByRole('button', { name: /^See the offer/ })
    expect(await offer.isDisabled()).toBe(true)
    await page.getByLabel('What do you want?').fill('the west wind')
    await offer.click()
    await page.getByRole('button', { name: /^Approve/ }).click()
    await page.getByText('Ode to the west wind').waitFor()
  })

  test('an edit with Enter and Tab is one request with one key, and the button works while nothing is sent', async () => {
    const { page } = await enter()
    await ask(page, 'Oslo')
    const sent: (string | null)[] = []
    page.on('request', async it => {
      if (it.method() === 'POST' && it.url().endsWith('/invoke')) sent.push(await it.headerValue('idempotency-key'))
    })
    const slip = page.getByRole('region', { name: 'Proposal' })
    const city = slip.getByLabel('City')
    await city.fill('Lima')
    const update = slip.getByRole('button', { name: 'Update the terms' })
    expect([await update.isEnabled(), sent]).toEqual([true, []])
    await city.press('Enter')
    await page.keyboard.press('Tab')
    await page.getByText('New terms for Lima. The price is the same.').waitFor()
    await slip.getByRole('button', { name: /^Approve/ }).waitFor()
    expect([await slip.count(), sent]).toEqual([1, [expect.stringMatching(/^[\da-f-]{36}$/)]])
    await slip.getByLabel('City').fill('Rome')
    await slip.getByRole('button', { name: 'Update the terms' }).click()
    await page.getByText('New terms for Rome.').waitFor()
    expect([await slip.count(), sent.length, new Set(sent).size]).toEqual([1, 2, 2])
  })

  test('the slip shows the plain text that is sent, lets it be edited, and says what is left out', async () => {
    const offerings = [{ id: 'novel', name: 'Write a novel', description: 'A novel.', price: '0.10', slaMinutes: 5 }]
    await market.agent({ handle: 'novelist', offerings, handler: async ({ text }) => `Novel: ${text}` })
    const { page } = await enter()
    await say(page, 'Hire agent novelist to write a novel about a harbour with ships')
    const slip = page.getByRole('region', { name: 'Proposal' })
    const sent = slip.getByLabel('Text', { exact: true })
    await sent.waitFor()
    expect(await sent.inputValue()).toContain('about a harbour with ships')
    await sent.fill('A novel about two ships,\n\n- and a whale')
    await slip.getByRole('button', { name: 'Update the terms' }).click()
    await page.getByText('New terms', { exact: false }).first().waitFor()
    const drawn = slip.getByRole('region', { name: 'Text', exact: true })
    expect(await drawn.innerText()).toMatch(
      /Exactly as you wrote it · 3 lines, 39 characters[\s\S]*A novel about two ships,\s+- and a whale/,
    )
    await slip.getByRole('button', { name: /^Approve/ }).click()
    await page.getByText('Novel: A novel about two ships').waitFor()
    await page.goto('/')
    await say(page, 'What time is it in Oslo, in blue letters?')
    await page.getByText('Left out: in blue letters. The agent does not get this.').waitFor()
  })

  test('a table that the user pastes is shown as rows, exactly as it is sent, and is edited in place', async () => {
    const offerings = [
      {
        ...{ id: 'chart', name: 'Plot a table', description: 'Plots a table.', price: '0.10', slaMinutes: 5 },
        requirement: { type: 'object', required: ['csv'], properties: { csv: { type: 'string', description: 'The table' } } },
      },
    ]
    await market.agent({ handle: 'plotter', offerings, handler: async ({ fields }) => `${fields.csv}` })
    const { page } = await enter()
    await say(page, 'Hire agent plotter to plot this table:\nmonth,sales\nJan,007\nMay,31')
    const table = page.getByRole('region', { name: 'CSV', exact: true })
    await table.getByRole('cell', { name: '007' }).waitFor()
    expect(await table.innerText()).toContain('2 rows, 2 columns')
    await table.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('CSV').fill('month,sales\nJan,008\nMay,31')
    await page.keyboard.press('Tab')
    await table.getByRole('cell', { name: '008' }).waitFor()
    await page.getByRole('button', { name: /^Approve/ }).click()
    await page.locator('.result').getByText('008', { exact: false }).first().waitFor()
  })

  test('a conversation is renamed in its list', async () => {
    const { page } = await enter()
    await say(page, 'Walk my dog in the park')
    await page.getByRole('button', { name: 'Rename this conversation' }).click()
    await page.getByLabel('Title').fill('Rex')
    await page.keyboard.press('Enter')
    await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: /Rex/ }).waitFor()
  })

  test('an offered spending limit is set by its button, and leads to the limits of the account', async () => {
    const { page } = await enter()
    await say(page, 'Up to 5 USDC a week, at most 1 a job, ask above 0.50')
    await page.getByText('I would set this spending limit: up to 5.00 USDC a week').waitFor()
    await page.getByRole('button', { name: 'Set this limit' }).click()
    await page.getByText('Set: up to 5.00 USDC a week').waitFor()
    expect(await page.getByRole('button', { name: 'Set this limit' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Spending limits' }).last().click()
    await page.getByText('My butler may spend up to').waitFor()
  })

  test('a conversation is deleted after a second press, and its place shows a new one', async () => {
    const { page } = await enter()
    await say(page, 'Walk my dog in the park')
    await page.getByRole('button', { name: 'Delete this conversation' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('heading', { name: 'What do you need done?' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: /Walk my dog/ }).count(), { timeout: 20_000 }).toBe(0)
  })

  test('a paid call to an agent is drawn as its deliverable, with the record of the call under Details', async () => {
    const { page } = await enter()
    await say(page, `Buy ${market.url}/x402/agents/city-clock/offerings/local-time with {"city":"Tokyo"}`)
    await page.getByRole('button', { name: /^Approve/ }).click()
    const result = page.getByRole('article', { name: 'Result from City Clock, by a paid call' })
    await result.getByText('Asia/Tokyo', { exact: true }).first().waitFor()
    expect(await result.locator('.big').innerText()).toMatch(/^\d+:\d\d /)
    expect(await result.getByText('Payment ID').isVisible()).toBe(false)
    await result.getByText('Details', { exact: true }).click()
    await result.getByText('Payment ID').waitFor()
  })

  test('a date and time has its own field, and a long name never reaches the price', async () => {
    const name = 'Pneumonoultramicroscopicsilicovolcanoconiosisandmoreofthatword'
    const requirement = {
      ...{ type: 'object', required: ['start'] },
      properties: { start: { type: 'string', format: 'date-time', description: 'When it begins' } },
    }
    const offerings = [{ id: 'x', name, description: 'Starts it.', price: '0.05', slaMinutes: 5, requirement }]
    const agent = await market.agent({ handle: 'longwinded', offerings, handler: async ({ fields }) => String(fields.start) })
    const { page, context } = await visit(browser, market.url, { viewport: { width: 360, height: 740 } })
    await signIn(page)
    await page.goto(`/app/agents/${agent.agentId()}`)
    await page.getByLabel('Start').fill('2031-12-01T19:30')
    await page.getByRole('button', { name: /^See the offer/ }).click()
    await page.getByRole('button', { name: /^Approve/ }).waitFor()
    const slip = page.getByRole('region', { name: 'Proposal' })
    expect(await slip.getByLabel('Start').inputValue()).toBe('2031-12-01T19:30')
    const [title, price] = await Promise.all([slip.getByRole('heading').boundingBox(), slip.locator('.price').boundingBox()])
    expect((title?.x ?? 0) + (title?.width ?? 0)).toBeLessThanOrEqual(price?.x ?? 0)
    expect(await page.evaluate('document.querySelector(".slip h2").scrollWidth')).toBeLessThanOrEqual(
      Math.ceil(title?.width ?? 0),
    )
    await page.getByRole('button', { name: /^Approve/ }).click()
    await page.getByText('Monday, 1 December 2031, 19:30').waitFor()
    await context.close()
  })

  test('an invalid price is reported at its field, and no preview shows it', async () => {
    const { page } = await enter()
    await publish(page)
    await page.getByRole('button', { name: 'Edit' }).click()
    expect(await page.getByLabel('Price in USDC').inputValue()).toBe('0.10')
    await page.getByLabel('Price in USDC').fill('lots')
    await page.getByText('A price is a number such as 0.10.').waitFor()
    await page.getByLabel('Promise in minutes').fill('')
    expect(await page.getByRole('region', { name: 'As buyers see it' }).innerText()).not.toContain('NaN')
    await page.goto('/app/me/agents')
    await page.getByText('1 offering · 0 jobs paid').waitFor()
  })

  test('an owner sends a test job from the page and reads its steps, its checks and its result', async () => {
    const { page } = await enter()
    const agentId = decodeURIComponent((await publish(page, 'Pond Poet')).split('/').at(-1) ?? '')
    const own = { url: market.url, token: String(await page.evaluate("localStorage.getItem('session')")) }
    const card = page.getByRole('region', { name: 'Send a test job' })
    await card.getByLabel('Text').fill('an old pond')
    await card.getByRole('button', { name: 'Send the test job' }).click()
    await card.getByText('Picked up').waitFor()
    const polled = await askOf(own, `/gateway/jobs/poll?agent=${agentId}&timeout=10`, { method: 'GET' })
    const { job_id } = z.object({ job_id: z.string(), job_input: z.literal('{"text":"an old pond"}') }).parse(polled.body)
    await askOf(own, '/gateway/jobs/complete', { body: { job_id, agent_id: agentId, deliverable: 'A frog jumps in' } })
    await card.getByText('A frog jumps in').waitFor()
    expect(await card.locator('ol').innerText()).toMatch(/Sent\s+0\.0 s\s+Picked up\s+\S+ s\s+Answered\s+\S+ s\s+Passes\s+2 of 2/)
    expect(await page.getByRole('region', { name: 'Answer by hand' }).isVisible()).toBe(true)
  })

  test('after signing in, an answer, a yes and a message, the focus is on the next control', async () => {
    const { page } = await visit(browser, market.url)
    await page.goto('/')
    await page.getByRole('button', { name: /demo wallet/ }).click()
    await page.getByRole('heading', { name: 'What do you need done?' }).waitFor()
    expect(await focused(page)).toBe('title')
    await say(page, 'Tell me the local time in a city')
    await page.getByRole('form', { name: 'Question' }).getByRole('textbox').fill('Tokyo')
    await page.getByRole('button', { name: 'Answer' }).click()
    await page.getByRole('button', { name: /^Approve/ }).waitFor()
    expect(await focused(page)).toBe('What was said')
    await page.getByRole('button', { name: /^Approve/ }).click()
    await page.locator('.result').waitFor()
    expect(await focused(page)).toBe('What was said')
    await say(page, 'What time is it in Oslo?')
    await page.getByRole('button', { name: /^Approve/ }).waitFor()
    expect(await focused(page)).toBe('say')
    await page.getByRole('button', { name: 'No, thanks' }).click()
    await page.getByText('You said no').waitFor()
    expect(await focused(page)).toBe('What was said')
  })

  test('the balance follows the money at once, without polling', async () => {
    const { page, context } = await enter()
    await context.addInitScript('window.setInterval = () => 0')
    await ask(page, 'Tokyo')
    const balance = page.locator('.balance')
    await balance.getByText('25.00').waitFor()
    await page.getByRole('button', { name: /^Approve/ }).click()
    await balance.getByText('24.95').waitFor()
  })

  test('an unsent message and a partial answer are kept while another view is open', async () => {
    const { page } = await enter()
    await say(page, 'Tell me the local time in a city')
    await page.getByRole('form', { name: 'Question' }).getByRole('textbox').fill('Tok')
    await page.getByLabel('Tell your butler').fill('And then')
    await page.getByRole('link', { name: 'Market', exact: true }).click()
    await page.getByRole('heading', { name: 'Market', exact: true }).waitFor()
    await page.goBack()
    await page.getByRole('form', { name: 'Question' }).waitFor()
    expect(await page.getByLabel('Tell your butler').inputValue()).toBe('And then')
    expect(await page.getByRole('form', { name: 'Question' }).getByRole('textbox').inputValue()).toBe('Tok')
    await page.getByRole('link', { name: 'New conversation' }).click()
    await page.getByRole('heading', { name: 'What do you need done?' }).waitFor()
    expect(await page.getByLabel('Tell your butler').inputValue()).toBe('')
  })

  test('a message that is too long is refused in plain words, and stays in its field', async () => {
    const { page } = await enter()
    await say(page, 'x'.repeat(40_022))
    await page.getByText('That is too long: 40,022 of 32,768 characters.', { exact: true }).waitFor()
    expect((await page.getByLabel('Tell your butler').inputValue()).length).toBe(40_022)
  })

  test('before the yes, deadlines are durations from it; after the yes they are times', async () => {
    const { page } = await enter()
    await ask(page, 'Lima')
    expect(await page.getByRole('region', { name: 'Proposal' }).innerText()).toContain(
      'Within 2 minutes of your yes, or your money is back within 82 minutes',
    )
    // Keeps the job running, so that its deadlines are shown.
    await page.route(/\/runs\/[^/]+\?/, async route => {
      const response = await route.fetch()
      const run = await response.json()
      await route.fulfill({ response, json: run.job ? { ...run, state: 'awaiting-job' } : run })
    })
    await page.getByRole('button', { name: /^Approve/ }).click()
    await page.getByText(new RegExp(`By ${moment}, or your money is back by ${moment}`)).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  test('a tap chooses an option, and the page says what comes next', async () => {
    const { page } = await enter()
    const pick = (name: string) => ({ agent_handle: 'clock', agent_id: 'a', offering_id: name, name, price: '0.1' })
    const choices = [pick('Time in a city'), pick('Time at sea')]
    const next_tasks = [{ text: 'Then in Rome', state: 'waiting' }]
    await page.route(/\/runs\/[^/]+\?deliverable/, async route => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), state: 'awaiting-input', choices, next_tasks } })
    })
    await say(page, 'What time is it in Quito?')
    const cards = page.getByRole('region', { name: 'Choices' })
    await cards.getByText('0.10').first().waitFor()
    await page.getByText('Next: “Then in Rome”').waitFor()
    const said = page.waitForRequest('**/invoke')
    await cards.getByRole('button', { name: 'Time at sea' }).click()
    expect((await said).postDataJSON()).toMatchObject({ message: 'The second one' })
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  test('a run that failed shows its answer', async () => {
    const { page } = await enter()
    const failed = { state: 'failed', content: 'The language model does not answer. Nothing was hired and nothing was paid.' }
    await page.route(/\/runs\/[^/]+\?deliverable/, async route => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), ...failed } })
    })
    await page.route(/\/runs\/[^/]+\/events/, async route => {
      const response = await route.fetch()
      const events = z.array(z.looseObject({ type: z.string() })).parse(await response.json())
      await route.fulfill({ response, json: events.filter(it => it.type === 'message') })
    })
    await say(page, 'What time is it in Bern?')
    await page.getByText(failed.content).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})
