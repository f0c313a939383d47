import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { rolldown } from 'rolldown'

type CallTool = (name: string, input: Record<string, unknown>) => Promise<object>
type Shown = { html: string; told: object; theme?: 'light' | 'dark'; callTool: CallTool }

const bundleHost = async (): Promise<string> => {
  const bundler = await rolldown({ input: join(import.meta.dirname, 'appHost.js'), platform: 'browser' })
  const { output } = await bundler.generate({ format: 'iife' })
  await bundler.close()
  return output[0].code
}

/** Shows an MCP app in a frame without an origin, by the reference host. `opened` are the addresses that it asked to open. */
export const showApp = async (browser: Browser, { callTool, theme = 'light', ...shown }: Shown) => {
  const page = await browser.newPage({ viewport: { width: 480, height: 700 }, colorScheme: theme })
  const [complaints, opened]: [string[], string[]] = [[], []]
  page.on('pageerror', error => complaints.push(error.message))
  page.on('console', line => line.type() === 'error' && complaints.push(line.text()))
  await page.exposeFunction('callTool', callTool)
  await page.exposeFunction('openLink', (url: string) => void opened.push(url))
  await page.setContent('<iframe id="app" sandbox="allow-scripts" style="width:440px;height:200px;border:0"></iframe>')
  await page.addScriptTag({ content: await bundleHost() })
  await page.evaluate(`showApp(${JSON.stringify({ ...shown, theme })})`)
  return { page, app: page.frameLocator('#app'), complaints, opened }
}
