import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { z } from 'zod'

const findings = z.object({
  violations: z.array(
    z.object({ id: z.string(), impact: z.string().nullable(), nodes: z.array(z.object({ html: z.string() })) }),
  ),
})

/**
 * The findings of axe on a page that are more than minor; `rules` limits the check to these rules. Animations are off, because
 * half-transparent words have too little contrast.
 */
export const findingsOf = async (page: Page, rules?: string[]) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate(axe.source)
  const { violations } = findings.parse(
    await page.evaluate(
      `axe.run(${JSON.stringify({ resultTypes: ['violations'], preload: false, ...(rules && { runOnly: rules }) })})`,
    ),
  )
  return violations.filter(it => it.impact !== 'minor')
}
