import { z } from 'zod'
import { isListed } from '../../domain/offerings/offering.ts'
import { Problem } from '../../domain/problem.ts'
import { wholeServiceRecord } from '../../records/service.ts'
import { readReputations } from '../agents/reputations.ts'
import { operation } from '../operation.ts'
import { parseServiceId, toServiceRecord } from './serviceRecord.ts'

export const readService = operation({
  name: 'readService',
  summary: 'One offering that anyone may hire.',
  caller: 'anyone',
  input: z.object({ service_id: z.string().max(1000) }),
  output: wholeServiceRecord,

  async run({ service_id }, deps) {
    const of = parseServiceId(service_id)
    const listing = of && (await deps.store.listing(of.agentId, of.offeringId))
    if (!listing || !isListed(listing)) throw new Problem('offering-not-found')
    const reputationOf = await readReputations(deps, [listing.agentId])
    const { requirement, deliverable } = listing
    return { ...toServiceRecord(listing, reputationOf(listing.agentId)), requirement, deliverable }
  },
})
