import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { TestService } from '../service.ts'
import { browserPath, openBrowser, visit } from './browser.ts'
import { openMarket } from './market.ts'
import { say, signIn } from './scene.ts'

const leftOut = browserPath ? '' : ' (left out: there is no Chromium on this machine)'

/** A script of the page: the different colours of a picture, which is given in base64. */
const readColours = (png: string) => `(async () => {
  const bytes = Uint8Array.from(atob('${png}'), it => it.charCodeAt(0))
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
  const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
  canvas.drawImage(picture, 0, 0)
  const { data } = canvas.getImageData(0, 0, picture.width, picture.height)
  return [...new Set(Array.from({ length: data.length / 4 }, (_, at) => data.slice(4 * at, 4 * at + 3).join()))]
})()`

describe.runIf(browserPath)(`on the page${leftOut}`, () => {
  let market: TestService
  let browser: Browser
  beforeAll(async () => {
    ;[market, browser] = await Promise.all([openMarket({}, ['city-clock', 'demo-units']), openBrowser()])
  })
  afterAll(() => Promise.all([browser?.close(), market?.stop()]))

  const enter = async () => {
    const visitor = await visit(browser, market.url, { viewport: { width: 1280, height: 800 } })
    await signIn(visitor.page)
    return visitor
  }
  const approve = async (page: Page) => {
    await page.getByRole('button', { name: /^Approve/ }).click()
    await page.getByRole('button', { name: /^Approve/ }).waitFor({ state: 'detached' })
  }
  const openAgent = async (page: Page, handle: string) => {
    const { agent_id: id } = z
      .object({ agent_id: z.string() })
      .parse(await (await fetch(`${market.url}/agents/handle/${handle}`)).json())
    await page.goto(`/app/agents/${id}`)
  }

  test('an agent is made a favourite, blocked and reported, and the account undoes it', async () => {
    const { page, complaints } = await enter()
    await openAgent(page, 'city-clock')
    await page.getByRole('button', { name: 'Favourite' }).click()
    await page.getByRole('button', { name: 'Favourite', pressed: true }).waitFor()
    await page.getByRole('button', { name: 'Block' }).click()
    await page.getByText('It is not found, proposed or hired for you.').waitFor()
    await page.getByRole('button', { name: 'Report' }).click()
    await page.getByLabel('What is wrong with it?').selectOption({ label: 'It is not what it says' })
    await page.getByLabel('What happened').fill('It tells the time of another city.')
    await page.getByRole('button', { name: 'Send the report' }).click()
    await page.getByText('the agent does not learn of you').waitFor()

    const approval = page.getByRole('button', { name: /^Approve/ })
    await page.goto('/')
    await say(page, 'What time is it in Lima?')
    await page.getByText('Tell me when one does').waitFor()
    await page.getByText('takes the block back').waitFor()
    expect(await approval.count()).toBe(0)

    await page.goto('/app/me')
    const marked = page.getByRole('region', { name: 'Favourite and blocked agents' })
    await marked.waitFor()
    expect((await marked.getByRole('listitem').allInnerTexts()).join()).toMatch(/City Clock[^,]*Blocked/)
    await marked.getByRole('button', { name: 'Undo' }).click()
    await marked.waitFor({ state: 'detached' })
    await page.goto('/')
    await say(page, 'What time is it in Lima?')
    await approval.waitFor()
    expect(complaints).toEqual([])
  })

  test('a press that is released after the scripts of the door have come is not lost', async () => {
    const { page } = await visit(browser, market.url)
    await page.goto('/')
    const box = await page.getByRole('button', { name: /demo wallet/ }).boundingBox()
    await page.mouse.move((box?.x ?? 0) + 40, (box?.y ?? 0) + 20)
    await page.mouse.down()
    await page.waitForLoadState('networkidle')
    await page.mouse.up()
    await page.getByRole('heading', { name: 'What do you need done?' }).waitFor()
  })

  test('the same agent is hired again with the same values by one press and a new yes', async () => {
    const { page } = await enter()
    await say(page, 'What time is it in Quito?')
    await approve(page)
    const results = page.locator('.result')
    await results.getByText('Quito', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Hire it again' }).click()
    await page.getByRole('button', { name: /^Approve/ }).waitFor()
    expect(await page.getByLabel('City').last().inputValue()).toBe('Quito')
    expect(await results.count()).toBe(1)
    await approve(page)
    await expect.poll(() => results.count()).toBe(2)
  })

  test('a headline has its unit beside it, and is not repeated below', async () => {
    const { page } = await enter()
    await say(page, 'Convert 26.2 miles to kilometres')
    await approve(page)
    const result = page.locator('.result')
    await result.locator('.big').waitFor()
    expect(await result.locator('.big').innerText()).toMatch(/^42\.\d+\s+(?:km|kilomet(?:re|er)s)$/)
    expect((await result.innerText()).match(/42\.\d+/g)).toHaveLength(1)
  })

  test('the ring of the field for messages is whole while it has the focus', async () => {
    const { page } = await enter()
    await say(page, 'What time is it in Oslo?')
    await page.getByRole('button', { name: /^Approve/ }).waitFor()
    await page.getByLabel('Tell your butler').focus()
    const form = await page.locator('.composer form').boundingBox()
    if (!form) throw new Error('There is no field.')
    // One line of pixels in the middle of the ring, above and below the field.
    const middle = 2
    const colours = (y: number) =>
      page
        .screenshot({ clip: { x: form.x + 60, y: Math.round(y), width: form.width - 120, height: 1 } })
        .then(png => page.evaluate(readColours(png.toString('base64'))))
    const above = z.array(z.string()).parse(await colours(form.y - middle - 1))
    expect(above).toHaveLength(1)
    expect(await colours(form.y + form.height + middle)).toEqual(above)
  })

  test('a user downloads a copy of their data, deletes it, and is told what stays', async () => {
    const { page } = await enter()
    await say(page, 'What time is it in Rome?')
    await approve(page)
    await page.locator('.result').getByText('Rome', { exact: true }).waitFor()
    await page.goto('/')
    await say(page, 'What time is it in Cairo?')
    await page.getByRole('button', { name: /^Approve/ }).waitFor()
    await page.goto('/app/me')
    const own = page.getByRole('region', { name: 'Your data' })
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      own.getByRole('button', { name: 'Download a copy' }).click(),
    ])
    expect(await readFile(await file.path(), 'utf8')).toMatch(/time is it in Cairo.*time is it in Rome/s)
    await own.getByRole('button', { name: 'Delete my data' }).click()
    await own.getByRole('button', { name: 'Delete it for good' }).click()
    const told = own.getByRole('status')
    await told.waitFor()
    // The paid task goes, too, if its last transaction is mined.
    expect(await told.innerText()).toMatch(/^Deleted: (?:1 task\. 1 task is not over yet|2 tasks\.)/)
    expect(await told.getByRole('listitem').count()).toBe(5)
    await page.goto('/')
    await page.getByRole('heading', { name: 'What do you need done?' }).waitFor()
    expect(await page.getByText('Cairo').count()).toBe(0)
    await page.goto('/app/me')
    await page.getByRole('region', { name: 'Activity' }).getByText('−0.05').waitFor()
  })
})
