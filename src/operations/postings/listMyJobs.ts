import { z } from 'zod'
import type { Address } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import type { PostedJob } from '../../ports.ts'
import { type Deps, operation, userOf } from '../operation.ts'
import { jobRecord, toHiredRecord, toPostingRecord } from './jobRecord.ts'

const role = z.enum(['client', 'provider', 'evaluator', 'any'])
type Role = z.infer<typeof role>

export const listMyJobs = operation({
  name: 'listMyJobs',
  summary: 'Jobs in which the asking user is client, provider or evaluator, newest first.',
  caller: 'user',
  input: z.object({ role: role.default('any'), chain_id: z.coerce.number().int().optional() }),
  output: z.array(jobRecord),

  async run({ role: as, chain_id }, deps, caller) {
    const wallet = userOf(caller)
    const now = deps.clock.now()
    const postings = await deps.store.postings({ key: wallet, limit: limits.pageRows, offset: 0 })
    const records = [
      ...postings.filter(it => playsIn(it, wallet, as)).map(it => toPostingRecord(it, now)),
      ...(await hiredJobs(deps, wallet, as)).map(toHiredRecord),
    ]
    return records
      .filter(it => chain_id === undefined || it.chain_id === chain_id)
      .sort((a, b) => b.created_at.localeCompare(a.created_at))
      .slice(0, limits.pageRows)
  },
})

const playsIn = ({ clientKey, providerKey, evaluatorKey }: PostedJob, wallet: Address, as: Role): boolean => {
  if (as === 'any') return true
  return { client: clientKey, provider: providerKey, evaluator: evaluatorKey }[as] === wallet
}

/** Hires are evaluated by the platform: nobody is an evaluator in one. */
const hiredJobs = async ({ store }: Deps, wallet: Address, as: Role) => {
  const page = { limit: limits.pageRows, offset: 0 }
  const asClient = as === 'client' || as === 'any' ? await store.jobs({ user: wallet, ...page }) : []
  if (as === 'client' || as === 'evaluator') return asClient
  const agents = await store.agents({ owner: wallet, ...page })
  const asProvider = await Promise.all(agents.map(it => store.jobs({ agentId: it.id ?? '', ...page })))
  // Who hires their own agent finds the job once.
  return [...new Map([...asClient, ...asProvider.flat()].map(it => [it.id, it])).values()]
}
