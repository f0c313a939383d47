import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { z } from 'zod'
import { demoHandles } from '../../src/domain/agents/localAgents.ts'
import { command, print } from '../command.ts'
import { createTestClock } from '../service.ts'
import { openBrowser, visit } from './browser.ts'
import { liveThrough } from './history.ts'
import { openMarket } from './market.ts'
import { openView, type Scene, setScene, type View } from './scene.ts'

type BrowserOptions = { viewport: { width: number; height: number }; colorScheme: 'light' | 'dark' }

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } }
const schemes = ['light', 'dark'] as const

const values = command('shots', 'Takes pictures of every view, light and dark, on phone and desktop.')
  .option('--out <folder>', 'where they are written', join(tmpdir(), 'marketplace-shots'))
  .option('--readme', 'only the picture of the README, in its place', false)
  .option('-o, --only <names>', 'only these views, separated by commas', '')
  .option('--sizes <names>', 'only these sizes', 'phone,desktop')
  .option('--schemes <names>', 'only these colours', 'light,dark')
  .parse()
  .opts<{ out: string; readme: boolean; only: string; sizes: string; schemes: string }>()
const readmePicture = join(import.meta.dirname, '../../docs/images/proposal.png')

/** Opens a view with a window as tall as the page, because sticky elements would appear in the middle of a scrolled page. */
const open = async (browser: Browser, { url, storageState }: Scene, { view, ...options }: BrowserOptions & { view: View }) => {
  const { page, context } = await visit(browser, url, { ...options, ...(!view.isStranger && { storageState }) })
  await page.clock.install({ time: clock.now() })
  await openView(page, view)
  await page.waitForLoadState('load')
  // Waits until all fade-in animations have ended.
  await page.clock.runFor(1_000)
  await page.evaluate(
    'Promise.all(document.getAnimations().filter(it => it.effect.getTiming().iterations === 1).map(it => it.finish()))',
  )
  const height = z.number().parse(await page.evaluate('document.documentElement.scrollHeight'))
  await page.setViewportSize({ ...options.viewport, height: Math.max(height, options.viewport.height) })
  return { page, context }
}

const chosen = ({ views }: Scene): View[] => views.filter(it => !values.only || values.only.split(',').includes(it.name))

type Look = { size: keyof typeof sizes; colorScheme: (typeof schemes)[number] }
const shoot = async (browser: Browser, scene: Scene, { size, colorScheme }: Look) => {
  for (const view of chosen(scene)) {
    const { page, context } = await open(browser, scene, { view, viewport: sizes[size], colorScheme })
    await page.screenshot({ path: join(values.out, `${view.name}-${size}-${colorScheme}.png`) })
    await context.close()
  }
}

/** Writes the picture of the README: a proposal in the light desktop view. */
const shootReadme = async (browser: Browser, scene: Scene) => {
  const view = scene.views.find(it => it.name === 'proposal')
  if (!view) throw new Error('The scene has no proposal.')
  const { page } = await open(browser, scene, { view, viewport: { width: 1280, height: 720 }, colorScheme: 'light' })
  await mkdir(dirname(readmePicture), { recursive: true })
  await page.screenshot({ path: readmePicture })
}

const clock = createTestClock()
const market = await openMarket({ clock }, demoHandles)
const browser = await openBrowser()
try {
  await mkdir(values.out, { recursive: true })
  const scene = await setScene(browser, market, async poet => {
    await liveThrough(market, clock, poet)
    return clock.now()
  })
  if (values.readme) await shootReadme(browser, scene)
  else
    for (const size of ['phone', 'desktop'] as const)
      for (const scheme of schemes)
        if (values.sizes.includes(size) && values.schemes.includes(scheme))
          await shoot(browser, scene, { size, colorScheme: scheme })
  print(values.readme ? readmePicture : `Pictures are in ${values.out}`)
} finally {
  await browser.close()
  await market.stop()
}
