import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { operation } from '../operation.ts'
import { serviceRecord, toServiceRecord } from './serviceRecord.ts'

export const listServices = operation({
  name: 'listServices',
  summary: 'Offerings that anyone may hire, those of the newest agents first.',
  caller: 'anyone',
  input: z.object({
    chain_id: z.coerce.number().int().optional(),
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    pageSize: z.coerce.number().int().min(1).max(limits.pageRows).default(50),
  }),
  output: z.object({ data: z.array(serviceRecord), total: z.number(), page: z.number(), pageSize: z.number() }),

  async run({ chain_id, page, pageSize }, { store, clock }) {
    const onChain = chain_id === undefined ? {} : { chainId: chain_id }
    const listings = await store.listed({ ...onChain, limit: pageSize, offset: (page - 1) * pageSize })
    const { offerings } = await store.countMarket({ ...onChain, before: clock.now() + 1 })
    return { data: listings.map(toServiceRecord), total: offerings, page, pageSize }
  },
})
