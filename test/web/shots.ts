import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { z } from 'zod'
import { createTestClock } from '../service.ts'
import { openBrowser, visit } from './browser.ts'
import { liveThrough } from './history.ts'
import { openMarket } from './market.ts'
import { type Scene, setScene } from './scene.ts'

// Screenshots of every view, light and dark, phone and desktop: npm run shots -- --out DIR

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } }
const schemes = ['light', 'dark'] as const

const { values } = parseArgs({ options: { out: { type: 'string', default: join(tmpdir(), 'marketplace-shots') } } })

const shoot = async (browser: Browser, scene: Scene, size: keyof typeof sizes, colorScheme: (typeof schemes)[number]) => {
  const { url, storageState, views } = scene
  for (const { name, path, ready, isStranger, act } of views) {
    const options = { viewport: sizes[size], colorScheme, ...(!isStranger && { storageState }) }
    const { page, context } = await visit(browser, url, options)
    await page.clock.install({ time: clock.now() })
    await page.goto(path)
    await page.getByText(ready).first().waitFor()
    await act?.(page)
    await page.waitForLoadState('load')
    // As tall as the view is: a picture of a scrolled page shows what sticks to its edges in the middle.
    const height = z.number().parse(await page.evaluate('document.documentElement.scrollHeight'))
    await page.setViewportSize({ ...sizes[size], height: Math.max(height, sizes[size].height) })
    await page.screenshot({ path: join(values.out, `${name}-${size}-${colorScheme}.png`) })
    await context.close()
  }
}

const clock = createTestClock()
const market = await openMarket({ clock })
const browser = await openBrowser()
try {
  await mkdir(values.out, { recursive: true })
  const scene = await setScene(browser, market, async poet => {
    await liveThrough(market, clock, poet)
    return clock.now()
  })
  for (const size of ['phone', 'desktop'] as const) for (const scheme of schemes) await shoot(browser, scene, size, scheme)
  process.stdout.write(`${scene.views.length * 4} pictures in ${values.out}\n`)
} finally {
  await browser.close()
  await market.stop()
}
