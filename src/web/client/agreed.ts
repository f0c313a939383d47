import type { Proposal } from '../../domain/proposal.ts'
import type { RunEvent } from './wire.ts'

/** Returns the accepted proposal of a run: the last one before the job. */
export const agreedIn = (events: RunEvent[]): Proposal | undefined => events.findLast(it => it.type === 'proposed')?.data.proposal
