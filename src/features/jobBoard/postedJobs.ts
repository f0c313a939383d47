import type { Address } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import type { Deps, OtherJobs } from '../../operations/deps.ts'
import { boardOf, type PostedJob } from './ports.ts'
import { toPostingRecord } from './postingRecord.ts'

export const postedJobs: OtherJobs = {
  async read(id, { store, clock }) {
    const found = await boardOf(store).postedJob(id)
    return found && toPostingRecord(found, clock.now())
  },

  async list({ role, ...of }, deps) {
    const now = deps.clock.now()
    return (await postedJobsOf(deps, of, role)).map(it => toPostingRecord(it, now))
  },
}

type Of = { wallet: Address; chainId?: number }
type Role = 'client' | 'provider' | 'evaluator' | 'any'

/** Posted jobs have their own limit, so that they do not displace the caller's hires. */
const postedJobsOf = async ({ store }: Deps, of: Of, as: Role): Promise<PostedJob[]> => {
  const roles = as === 'any' ? (['client', 'provider', 'evaluator'] as const) : [as]
  const limitOf = (it: Role) => (it === 'evaluator' ? limits.postedJobsNamingEvaluator : limits.pageRows)
  const found = await Promise.all(roles.map(it => boardOf(store).postedJobsOf({ ...of, role: it, limit: limitOf(it) })))
  return onceEach(found.flat())
}

const onceEach = (found: PostedJob[]): PostedJob[] => [...new Map(found.map(it => [it.id, it])).values()]
