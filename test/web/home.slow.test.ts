import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { demoHandles } from '../../src/domain/agents/localAgents.ts'
import type { TestService } from '../service.ts'
import { browserPath, openBrowser, visit } from './browser.ts'
import { openMarket } from './market.ts'
import { say, signIn } from './scene.ts'

const leftOut = browserPath ? '' : ' (left out: there is no Chromium on this machine)'
const suggested = z.object({
  suggestions: z.array(z.object({ text: z.string(), agent_id: z.string(), offering_id: z.string() })),
})
const hired = z.object({ proposal: z.object({ agentId: z.string(), offeringId: z.string() }) })

describe('the first screen', () => {
  let market: TestService
  let browser: Browser | undefined
  beforeAll(async () => {
    ;[market, browser] = await Promise.all([openMarket({}, demoHandles), browserPath ? openBrowser() : undefined])
  })
  afterAll(() => Promise.all([browser?.close(), market?.stop()]))
  const enter = async (viewport: { width: number; height: number }) => {
    const visitor = await visit(browser ?? (await openBrowser()), market.url, { viewport })
    await signIn(visitor.page)
    return visitor
  }

  test('every suggestion leads to a proposal of its own offering without a question', async () => {
    const offerings = [
      {
        ...{ id: 'riddle', name: 'Invent a riddle', description: 'Invents a riddle.', price: '0.10', slaMinutes: 5 },
        requirement: {
          type: 'object',
          required: ['answer'],
          properties: { answer: { type: 'integer', description: 'Its answer' } },
        },
        examples: ['Invent a riddle for me'],
      },
    ]
    await market.agent({ handle: 'riddler', offerings, handler: async () => 'A riddle' })
    const user = await market.user('guest')
    const { suggestions } = suggested.parse(await user.client.get('/suggestions?limit=12'))
    expect(suggestions.length).toBeGreaterThanOrEqual(7)
    expect(suggestions.map(it => it.text)).not.toContain('Invent a riddle for me')
    for (const { text, agent_id, offering_id } of suggestions) {
      const { proposal } = hired.parse(await user.client.post('/v1/hires', { task: text }), { error: () => text })
      expect([text, proposal]).toMatchObject([text, { agentId: agent_id, offeringId: offering_id }])
    }
  })

  test.runIf(browserPath)(`its four requests are whole at every width${leftOut}`, async () => {
    const { page } = await enter({ width: 1280, height: 800 })
    const tiles = page.getByRole('region', { name: 'Suggestions' }).getByRole('listitem')
    await tiles.first().waitFor()
    for (const width of [320, 360, 640, 780, 900, 1000, 1100, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const ends = await tiles.evaluateAll(all => all.map(it => it.getBoundingClientRect().right))
      expect([width, Math.max(...ends) <= width]).toEqual([width, true])
    }
  })

  test.runIf(browserPath)(
    `it offers four requests with a picture and a price, of which a tap gives a slip${leftOut}`,
    async () => {
      const { page, complaints } = await enter({ width: 1280, height: 800 })
      const tiles = page.getByRole('region', { name: 'Suggestions' }).getByRole('listitem')
      await tiles.first().waitFor()
      expect(await tiles.count()).toBe(4)
      expect(await tiles.first().innerText()).toMatch(/\d\.\d\d USDC/)
      await tiles.first().getByRole('button').click()
      await page.getByRole('button', { name: /^Approve/ }).waitFor()
      expect(await page.getByRole('form', { name: 'Question' }).count()).toBe(0)
      expect(complaints).toEqual([])
    },
  )

  test.runIf(browserPath)(`a press on the door before its scripts have come is not lost${leftOut}`, async () => {
    const { page, complaints } = await visit(browser ?? (await openBrowser()), market.url)
    let arrive = () => {}
    const pressed = new Promise<void>(done => {
      arrive = done
    })
    await page.route('**/assets/page-*.js', async route => {
      await pressed
      await route.continue()
    })
    await page.goto('/', { waitUntil: 'commit' })
    await page.getByRole('button', { name: /demo wallet/ }).click()
    arrive()
    await page.getByRole('heading', { name: 'What do you need done?' }).waitFor()
    expect(complaints).toEqual([])
  })

  test.runIf(browserPath)(
    `a task that no agent does ends in a card with ways on, and names no offering that is not like it${leftOut}`,
    async () => {
      const { page } = await enter({ width: 360, height: 740 })
      await say(page, 'Write me a poem about autumn')
      const card = page.getByRole('region', { name: 'Nothing fits' })
      await card.getByRole('link', { name: /^See all/ }).waitFor()
      expect(await card.innerText()).not.toMatch(/nearest|Chart/)
      await card.getByRole('link', { name: 'Offer one yourself' }).click()
      await page.getByRole('heading', { name: 'My agents' }).waitFor()
    },
  )
})
