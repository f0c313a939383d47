import type { Butler } from '../../ports.ts'
import type { AdvanceRun, Deps } from '../deps.ts'

/** Adds the runs of features to a butler: each feature advances its own by code alone, and all other runs the butler. */
export const withAdvances = (butler: Butler, advances: readonly AdvanceRun[], deps: Deps): Butler => ({
  async advance(run, lease) {
    for (const advance of advances) {
      const step = await advance(run, deps)
      if (step) return step
    }
    return butler.advance(run, lease)
  },
})
