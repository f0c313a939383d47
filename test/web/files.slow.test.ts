import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toPdf } from '../files/pdf.ts'
import { startTestService, type TestService } from '../service.ts'
import { findingsOf } from './axe.ts'
import { browserPath, openBrowser, visit } from './browser.ts'
import { signIn } from './scene.ts'
import { toZip, workbook } from './zip.ts'

const leftOut = browserPath ? '' : ' (left out: there is no Chromium on this machine)'

const file = { type: 'string', format: 'file' }
const offering = (id: string, name: string, member: object, description: string) => ({
  ...{ id, name, description, price: '0.05', jobInput: '', jobOutput: '', slaMinutes: 5 },
  requirement: JSON.parse(JSON.stringify({ type: 'object', required: ['files'], properties: { files: member } })),
  deliverable: {},
})

const text = (name: string, mimeType: string, content: string) => ({ name, mimeType, buffer: Buffer.from(content) })
/** A sheet with a heading and one row. */
const rowsOfSheet = `<worksheet>${['name', 'Grace'].map(it => `<row><c t="inlineStr"><is><t>${it}</t></is></c></row>`).join('')}</worksheet>`
const picture = async (name = 'logo.png') => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 320, height: 200, channels: 3, background: '#0b665b' } })
    .png()
    .toBuffer(),
})

describe.runIf(browserPath)(`files on the page${leftOut}`, () => {
  let market: TestService
  let browser: Browser
  beforeAll(async () => {
    ;[market, browser] = await Promise.all([startTestService(), openBrowser()])
    await market.agent({
      handle: 'mirror',
      offerings: [
        offering('mirror', 'Mirror files', { type: 'array', items: file }, 'Gives files back as they came, to look at them'),
        offering('frame', 'Frame a picture', { ...file, contentMediaType: 'image/*' }, 'Puts a picture in a wooden frame'),
      ],
      handler: ({ fields }) => ({ files: fields.files ?? null, seen: true }),
    })
  })
  afterAll(() => Promise.all([browser?.close(), market?.stop()]))

  const enter = async (options: Parameters<typeof visit>[2] = {}) => {
    const it = await visit(browser, market.url, options)
    await signIn(it.page)
    return it
  }
  const choose = async (page: Page, files: Parameters<Page['setInputFiles']>[1]) => {
    await page.setInputFiles('[data-attach="files"]', files)
    await expect.poll(() => page.locator('.composer progress').count()).toBe(0)
  }
  const hire = async (page: Page, words: string) => {
    await page.getByLabel('Tell your butler').fill(words)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('button', { name: /^Approve/ }).click()
    await page.getByRole('article', { name: /^Result from/ }).waitFor()
  }

  test('files are chosen, hired for, shown by their kind and saved, and go on to the next task', async () => {
    const { page, complaints } = await enter()
    const rows = Array.from({ length: 250 }, (_, at) => `Person ${at},${at}`).join('\n')
    await choose(page, [
      await picture(),
      text('table.csv', 'text/csv', `name,age\n${rows}\n`),
      { name: 'report.pdf', mimeType: 'application/pdf', buffer: Buffer.from(toPdf(['First page', 'Second page'])) },
      text('notes.txt', 'text/plain', 'one\ntwo'),
      { name: 'photos.zip', mimeType: 'application/zip', buffer: toZip({ 'beach/one.png': 'x', '../evil.sh': 'y' }) },
      {
        name: 'orders.xlsx',
        mimeType: 'application/octet-stream',
        buffer: toZip({ ...workbook, 'xl/worksheets/sheet2.xml': rowsOfSheet }),
      },
    ])
    const tray = page.getByRole('list', { name: 'Files of this message' })
    expect(await tray.getByRole('listitem').count()).toBe(6)
    await page.getByLabel('Tell your butler').fill('Mirror these files')
    await page.getByRole('button', { name: 'Send' }).click()
    const slip = page.getByRole('region', { name: 'Proposal' })
    await slip.getByText('report.pdf').waitFor()
    expect(await tray.count()).toBe(0)
    await slip.getByRole('button', { name: /^Approve/ }).click()
    const result = page.getByRole('article', { name: /^Result from/ })
    await result.getByRole('button', { name: 'Open logo.png' }).waitFor()
    await result.getByText('The first 200 rows').waitFor()
    await result.getByText('Page 1 of 2').waitFor()
    await result.getByRole('button', { name: 'Next page' }).click()
    await result.getByText('Page 2 of 2').waitFor()
    await result.getByRole('region', { name: 'Text of notes.txt' }).getByText('two').waitFor()
    await result.getByRole('figure', { name: 'photos.zip' }).getByText('beach/one.png').waitFor()
    await result.getByRole('figure', { name: 'orders.xlsx' }).getByText('Grace').waitFor()
    expect(await findingsOf(page)).toEqual([])
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      result.getByRole('figure', { name: 'table.csv' }).getByRole('button', { name: 'Save' }).click(),
    ])
    expect(saved.suggestedFilename()).toBe('table.csv')
    await result.getByRole('figure', { name: 'logo.png' }).getByRole('button', { name: 'Use in the next task' }).click()
    await tray.getByText('logo.png').waitFor()
    expect(complaints).toEqual([])
  })

  test('the viewer of a picture opens, zooms and closes by the keyboard, and the focus returns', async () => {
    const { page } = await enter()
    await choose(page, await picture())
    await hire(page, 'Mirror this file')
    const open = page.getByRole('button', { name: 'Open logo.png' })
    await open.press('Enter')
    const viewer = page.getByRole('dialog', { name: 'logo.png' })
    await viewer.getByText('100 %').waitFor()
    expect(await findingsOf(page)).toEqual([])
    await page.keyboard.press('+')
    await viewer.getByText('150 %').waitFor()
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'hidden' })
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Open logo.png')
  })

  test('nothing of a served file runs script, whatever its name and its bytes say', async () => {
    const { page, complaints } = await enter()
    const script = '<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">'
    await choose(page, [
      text('page.png', 'image/png', `<!doctype html><body>${script}`),
      text('drawing.svg', 'image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked = 1">${script}</svg>`),
      text('anim.gif', 'image/gif', `GIF89a/*\x00\x00*/=1;window.hacked=1//${script}`),
      text('notes.txt', 'text/html', script),
      text('table.csv', 'text/csv', `${script},b\n${script},=1+1\n`),
    ])
    await hire(page, 'Mirror these files')
    await page.getByRole('region', { name: 'Text of page.png' }).getByText('window.hacked').waitFor()
    await page.getByRole('region', { name: 'Text of drawing.svg' }).getByText('onload').waitFor()
    const ids = await page.evaluate<string[]>(
      'performance.getEntriesByType("resource").map(it => /file_[0-9a-f]{32}$/.exec(it.name)?.[0]).filter(Boolean)',
    )
    expect(new Set(ids).size).toBeGreaterThan(3)
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(complaints).toEqual([])
  })

  test('a picture of a few bytes that claims four billion pixels is not drawn, and can be saved', async () => {
    const { page, complaints } = await enter()
    const { buffer } = await picture()
    buffer.writeUInt32BE(65_535, 16)
    buffer.writeUInt32BE(65_535, 20)
    await choose(page, { name: 'bomb.png', mimeType: 'image/png', buffer })
    await hire(page, 'Mirror this file')
    const figure = page.getByRole('figure', { name: 'bomb.png' })
    await figure.getByText('This picture cannot be shown.').waitFor()
    expect(await figure.getByRole('img').count()).toBe(0)
    const [saved] = await Promise.all([page.waitForEvent('download'), figure.getByRole('button', { name: 'Save' }).click()])
    expect(saved.suggestedFilename()).toBe('bomb.png')
    expect(complaints).toEqual([])
  })

  test('a file that is being sent can be cancelled, and the message waits for it', async () => {
    const { page } = await enter()
    await page.route('**/v1/files*', () => undefined)
    await page.setInputFiles('[data-attach="files"]', await picture())
    await page.getByLabel('Tell your butler').fill('Mirror this file')
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Cancel logo.png' }).click()
    expect(await page.getByRole('list', { name: 'Files of this message' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isEnabled()).toBe(true)
  })

  test('a file that is dropped or pasted is added', async () => {
    const { page } = await enter()
    const give = (type: 'drop' | 'paste') => {
      const at = type === 'drop' ? 'window' : 'document.querySelector("#say")'
      return page.evaluate(`{
        const files = new DataTransfer()
        files.items.add(new File(['one'], '${type}.txt', { type: 'text/plain' }))
        const of = { bubbles: true, cancelable: true }
        ${at}.dispatchEvent('${type}' === 'drop' ? new DragEvent('drop', { ...of, dataTransfer: files }) : new ClipboardEvent('paste', { ...of, clipboardData: files }))
      }`)
    }
    await page.getByLabel('Tell your butler').waitFor()
    await give('drop')
    await give('paste')
    await page.getByText('drop.txt').waitFor()
    await page.getByText('paste.txt').waitFor()
  })

  test('the slip shows the first lines of a table, and a reader of the screen hears which file a button changes', async () => {
    const { page } = await enter()
    await choose(page, text('orders.csv', 'text/csv', 'name,orders\nAda,12\nBob,17\nCyd,3\nDan,8\n'))
    await page.getByLabel('Tell your butler').fill('Mirror this file')
    await page.getByRole('button', { name: 'Send' }).click()
    const slip = page.getByRole('region', { name: 'Proposal' })
    const begin = slip.getByRole('note', { name: 'The beginning of orders.csv' })
    await begin.waitFor()
    expect(await begin.textContent()).toBe('name,orders\nAda,12\nBob,17\nCyd,3')
    await slip.getByRole('button', { name: 'Change: Files' }).focus()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Change')
  })

  test('a file is changed in the slip, and the new terms have the other one', async () => {
    const { page } = await enter()
    await choose(page, await picture())
    await page.getByLabel('Tell your butler').fill('Frame this picture in wood')
    await page.getByRole('button', { name: 'Send' }).click()
    const slip = page.getByRole('region', { name: 'Proposal' })
    await slip.getByText('logo.png').waitFor()
    await page.setInputFiles('.slip input[type=file]', await picture('other.png'))
    await slip.getByText('other.png').waitFor()
    await slip.getByRole('button', { name: /^Approve/ }).click()
    await page
      .getByRole('article', { name: /^Result from/ })
      .getByRole('button', { name: 'Open other.png' })
      .waitFor()
  })
})
