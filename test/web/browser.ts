import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The path of Chromium on this machine; undefined if there is none. */
export const browserPath: string | undefined = places.find(it => existsSync(it))

if (!browserPath) process.stdout.write('Page part left out: install Chromium\n')

const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync']

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ ...(browserPath && { executablePath: browserPath }), args: [...args, ...quiet] })

/** Opens a page for a new visitor and records the errors of scripts and of the content security policy. */
export const visit = async (
  browser: Browser,
  url: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> => {
  // The worker of the page answers requests itself, so only the tests of it have one.
  const usual = { locale: 'en-US', timezoneId: 'UTC', serviceWorkers: 'block' } as const
  const context = await browser.newContext({ baseURL: url, ...usual, ...options })
  // A headless browser refuses notices by itself.
  await context.grantPermissions(['notifications'])
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(error.message))
  page.on('console', line => line.type() === 'error' && complaints.push(line.text()))
  page.setDefaultTimeout(30_000)
  return { context, page, complaints }
}

/** Counts layout shifts without user input, as the Layout Instability API defines them. */
export const watchShifts = `window.shifts = 0
new PerformanceObserver(list => { for (const it of list.getEntries()) if (!it.hadRecentInput) window.shifts += it.value })
  .observe({ type: 'layout-shift', buffered: true })`
