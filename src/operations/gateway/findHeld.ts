import type { Deps, HeldJob } from '../operation.ts'

/** A job of a feature that an agent may hold. */
export const findHeld = async (id: string, deps: Deps): Promise<HeldJob | undefined> => {
  for (const it of deps.otherJobs ?? []) {
    const held = await it.held?.(id, deps)
    if (held) return held
  }
  return undefined
}
