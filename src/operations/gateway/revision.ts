import { z } from 'zod'
import { type Finding, failedOf } from '../../domain/acceptance.ts'
import type { Job } from '../../ports.ts'

/** Why a job comes again: only then is there such a member. Clients that do not know it do the work anew. */
export const revision = z.object({
  attempt: z.number(),
  failed: z.array(z.object({ id: z.string(), words: z.string(), evidence: z.string() })),
})

/** As a member of a delivery, by whichever way it goes; none of a first one. */
export const toRevision = ({ attempt, verdict }: Job): { revision?: z.infer<typeof revision> } =>
  verdict ? { revision: { attempt, failed: failedOf(verdict.criteria).map(toFault) } } : {}

const toFault = ({ id, words, evidence }: Finding) => ({ id, words, evidence })
