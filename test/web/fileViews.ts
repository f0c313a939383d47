import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { toPdf } from '../files/pdf.ts'
import type { TestService } from '../service.ts'
import { toZip } from './zip.ts'

type File = { name: string; mimeType: string; buffer: Buffer }

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600">
  <rect width="900" height="600" fill="#cfe8f3"/><circle cx="700" cy="140" r="70" fill="#f7c948"/>
  <path d="M0 600 260 240 430 440 600 200 900 600Z" fill="#3d7a5f"/><path d="M600 200 540 285 600 270 655 290Z" fill="#fff"/>
</svg>`
const picture = async (): Promise<File> => ({
  ...{ name: 'mountain.png', mimeType: 'image/png' },
  buffer: await sharp(Buffer.from(drawing)).png().toBuffer(),
})
const table: File = {
  ...{ name: 'orders of november.csv', mimeType: 'text/csv' },
  buffer: Buffer.from(
    ['customer,city,orders', ...Array.from({ length: 40 }, (_, at) => `Customer ${at + 1},Bern,${3 + ((at * 7) % 23)}`), ''].join(
      '\n',
    ),
  ),
}
const pages = ['Minutes of the meeting of 20 November', 'Decided: the shop opens on Mondays.', 'The next meeting is in January.']
const report: File = { name: 'minutes.pdf', mimeType: 'application/pdf', buffer: Buffer.from(toPdf(pages)) }

/** Chooses files for the next message, and waits until they were sent. */
export const chooseFiles = async (page: Page, files: File[]): Promise<void> => {
  await page.setInputFiles('[data-attach="files"]', files)
  await page
    .getByRole('listitem')
    .filter({ hasText: files[0]?.name ?? '' })
    .waitFor()
  await page.locator('.composer:not(:has(progress))').waitFor()
}

const ask = async (page: Page, words: string, files: File[]): Promise<string> => {
  await page.goto('/')
  await chooseFiles(page, files)
  await page.getByLabel('Tell your butler').fill(words)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('button', { name: /^Approve/ }).waitFor()
  return new URL(page.url()).pathname
}

/** Hires with files in a new conversation and waits for the end; returns its path. */
const order = async (page: Page, words: string, files: File[]): Promise<string> => {
  const path = await ask(page, words, files)
  await page.getByRole('button', { name: /^Approve/ }).click()
  await page.locator('.result').waitFor()
  return path
}

const archive: File = {
  ...{ name: 'photos.zip', mimeType: 'application/zip' },
  buffer: toZip({ 'beach/one.png': 'x', 'beach/two.png': 'y', 'read me.txt': 'z' }),
}
const file = { type: 'string', format: 'file' }
const binder = {
  ...{ id: 'bind', name: 'Bind files', description: 'Binds files into a folder', price: '0.05', slaMinutes: 5 },
  requirement: { type: 'object', required: ['files'], properties: { files: { type: 'array', items: file } } },
}

/** Views of files: those of a message, in a proposal, and as results. */
export const viewFiles = async (page: Page, market: TestService) => {
  await market.agent({
    ...{ handle: 'binder', name: 'Binder' },
    offerings: [{ ...binder, requirement: JSON.parse(JSON.stringify(binder.requirement)), deliverable: {} }],
    handler: ({ fields }) => ({ files: fields.files ?? null, bound: true }),
  })
  const mountain = await picture()
  const slip = await ask(page, 'Clean this CSV table', [table])
  const pictureSlip = await ask(page, 'Make this picture smaller, 300 pixels wide', [mountain])
  const smaller = await order(page, 'Make this picture smaller, 400 pixels wide', [mountain])
  const clean = await order(page, 'Clean this CSV table', [table])
  const text = await order(page, 'Extract the text of this PDF', [report])
  const pdf = await order(page, 'Bind these files', [report])
  const packed = await order(page, 'Bind these files', [archive])
  const act = (page: Page) => chooseFiles(page, [mountain, table, report])
  const ready = 'We checked its form'
  return [
    { name: 'files-composer', path: '/', ready: 'What do you need done?', act },
    { name: 'files-slip-table', path: slip, ready: 'customer,city,orders' },
    { name: 'files-slip-picture', path: pictureSlip, ready: 'mountain.png' },
    { name: 'files-result-picture', path: smaller, ready },
    { name: 'files-result-table', path: clean, ready: 'Customer 12' },
    { name: 'files-result-text', path: text, ready: 'Decided: the shop' },
    { name: 'files-result-pdf', path: pdf, ready: 'Page 1 of 3' },
    { name: 'files-result-archive', path: packed, ready: 'beach/one.png' },
  ]
}
