import type { Deps, HeldJob } from '../deps.ts'

/** Finds a job that is no hire, such as a test job, among those that features give to agents. */
export const findHeld = async (id: string, deps: Deps): Promise<HeldJob | undefined> => {
  for (const it of deps.otherJobs ?? []) {
    const held = await it.held?.(id, deps)
    if (held) return held
  }
  return undefined
}
