import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { start } from '../cli/program.ts'
import type { TestService } from '../service.ts'
import { openMarket } from '../web/market.ts'
import { toPdf } from './pdf.ts'

let market: TestService
beforeAll(async () => {
  market = await openMarket({}, ['demo-pictures', 'demo-pdf', 'demo-words'])
})
afterAll(() => market?.stop())

/** Runs commands of somebody who is signed in. */
const signIn = async () => {
  const env = { SERVICE_ENDPOINT: market.url, XDG_CONFIG_HOME: join(market.dir, 'config'), SERVICE_PROXY_AUTH: '' }
  const run = (...args: string[]) => start(args, { env }).ended
  await run('login', '--demo')
  return run
}

test('a plan takes that text from the step that delivers one, and its files are named with the command that saves them', async () => {
  const run = await signIn()
  const invoice = join(market.dir, 'invoice.pdf')
  await writeFile(invoice, toPdf(['Invoice', 'Thank you']))
  const words = 'extract the text of this PDF, then count the words of that text'
  const hired = await run('hire', '--yes', '--max', '1', '--file', invoice, words)
  expect(hired).toMatchObject({ code: 0, err: '' })
  expect(hired.out).toMatch(/It gets +document: invoice\.pdf \(\d+ bytes\)[\s\S]*It gets +document: “text” of step 1/)
  expect(hired.out).toMatch(/invoice\.txt, \d+ bytes\. Save it with: market download file_/)
})

test('a file goes up with its task, the made one is named with the command that saves it', async () => {
  const run = await signIn()
  const [large, small] = [join(market.dir, 'large.png'), join(market.dir, 'small.jpg')]
  await sharp({ create: { width: 600, height: 300, channels: 3, background: '#c06020' } }).toFile(large)

  // The option stands before the words, and does not take them for files.
  const hired = await run('hire', '--yes', '--max', '1', '--file', large, 'make this picture 120 pixels wide')
  expect(hired).toMatchObject({ code: 0, err: '' })
  const [, id = ''] = /Save it with: market download (file_\w+)/.exec(hired.out) ?? []

  expect(await run('download', id, small)).toMatchObject({ code: 0 })
  expect(await sharp(await readFile(small)).metadata()).toMatchObject({ width: 120, height: 60 })
  expect(await run('download', `${id.slice(0, -1)}x`)).toMatchObject({ code: 1 })
  expect(await run('hire', '--file', join(market.dir, 'none.png'), 'make it smaller')).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no file'),
  })
})
