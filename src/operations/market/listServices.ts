import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { readReputations } from '../agents/reputations.ts'
import { operation } from '../operation.ts'
import { serviceRecord, toServiceRecord } from './serviceRecord.ts'

export const listServices = operation({
  name: 'listServices',
  summary: 'All offerings that anyone may hire, newest agents first.',
  caller: 'anyone',
  input: z.object({
    chain_id: z.coerce.number().int().optional(),
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    pageSize: z.coerce.number().int().min(1).max(limits.pageRows).default(50),
  }),
  output: z.object({ data: z.array(serviceRecord), total: z.number(), page: z.number(), pageSize: z.number() }),

  async run({ chain_id, page, pageSize }, deps) {
    const { store, clock } = deps
    const onChain = chain_id === undefined ? {} : { chainId: chain_id }
    const listings = await store.listed({ ...onChain, limit: pageSize, offset: (page - 1) * pageSize })
    const { offerings } = await store.countMarket({ ...onChain, before: clock.now() + 1 })
    const reputationOf = await readReputations(
      deps,
      listings.map(it => it.agentId),
    )
    return { data: listings.map(it => toServiceRecord(it, reputationOf(it.agentId))), total: offerings, page, pageSize }
  },
})
