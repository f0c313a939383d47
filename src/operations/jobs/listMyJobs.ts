import { z } from 'zod'
import type { Address } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import type { ListedJob } from '../../ports.ts'
import { jobRecord } from '../../records/postedJob.ts'
import { type Deps, operation, userOf } from '../operation.ts'
import { toHiredRecord } from './jobRecord.ts'

const role = z.enum(['client', 'provider', 'evaluator', 'any'])
type Role = z.infer<typeof role>

export const listMyJobs = operation({
  name: 'listMyJobs',
  summary:
    'Jobs in which the caller is proved to be client, provider or evaluator, newest first. ' +
    'Long deliverables are left out; read the job.',
  scope: 'look',
  input: z.object({ role: role.default('any'), chain_id: z.coerce.number().int().optional() }),
  output: z.array(jobRecord),

  async run({ role: as, chain_id }, deps, caller) {
    const wallet = userOf(caller)
    const of = { wallet, ...(chain_id !== undefined && { chainId: chain_id }) }
    const others = await Promise.all((deps.otherJobs ?? []).map(it => it.list?.({ ...of, role: as }, deps) ?? []))
    const records = [...others.flat(), ...(await hiredJobs(deps, of, as)).map(toHiredRecord)]
    return records.sort((a, b) => b.created_at.localeCompare(a.created_at))
  },
})

type Of = { wallet: Address; chainId?: number }

/** The platform evaluates hires, so no user has the role of evaluator in them. */
const hiredJobs = async ({ store }: Deps, { wallet, chainId }: Of, as: Role): Promise<ListedJob[]> => {
  const page = { limit: limits.pageRows, offset: 0, ...(chainId !== undefined && { chainId }) }
  const asClient = as === 'client' || as === 'any' ? await store.listedJobs({ user: wallet, ...page }) : []
  if (as === 'client' || as === 'evaluator') return asClient
  return onceEach([...asClient, ...(await store.listedJobs({ agentOwner: wallet, ...page }))])
}

/** A job in which the caller has two roles is listed once. */
const onceEach = <T extends { id: string }>(found: T[]): T[] => [...new Map(found.map(it => [it.id, it])).values()]
