import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Where the machine has a Chromium; undefined when it has none. */
export const browserPath: string | undefined = places.find(it => existsSync(it))

if (!browserPath) process.stdout.write('Page part left out: install Chromium\n')

const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync']

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ ...(browserPath && { executablePath: browserPath }), args: [...args, ...quiet] })

/** A visitor of their own, with a page whose complaints are kept: what a script or the security policy says. */
export const visit = async (
  browser: Browser,
  url: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> => {
  const context = await browser.newContext({ baseURL: url, locale: 'en-US', timezoneId: 'UTC', ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(error.message))
  // Chromium notes each refusal; this one says that no butler is active yet.
  const isExpected = (place: string) => /\/butler(?:\?|$)/.test(place)
  page.on('console', line => line.type() === 'error' && !isExpected(line.location().url) && complaints.push(line.text()))
  page.setDefaultTimeout(30_000)
  return { context, page, complaints }
}
