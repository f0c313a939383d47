import { type Finding, failedOf, type Revision } from '../../domain/acceptance.ts'
import type { Job } from '../../ports.ts'

/** As a member of a delivery, by whichever way it goes; none of a first one. Clients that do not know it do the work anew. */
export const toRevision = ({ attempt, verdict }: Job): { revision?: Revision } =>
  verdict ? { revision: { attempt, failed: failedOf(verdict.criteria).map(toFault) } } : {}

const toFault = ({ id, words, evidence, details }: Finding) => ({ id, words, evidence, ...(details && { details }) })
