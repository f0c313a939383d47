import type { AgentId } from '../../src/domain/agents/agentId.ts'
import { isFinal } from '../../src/domain/jobs/job.ts'
import type { Listing } from '../../src/domain/offerings/offering.ts'
import type { ClaimedRun, Job } from '../../src/ports.ts'
import type { ButlerDeps } from './deps.ts'

/**
 * Rows that an advance of a run has read, so that its nodes need not read them again. The writes decide whether they still
 * hold. `job` and the listings are forgotten where the graph pauses.
 */
export type AlreadyRead = { run: ClaimedRun; job: Job | undefined; listings: Map<string, Listing> }

export const forget = (read: AlreadyRead): void => {
  read.job = undefined
  read.listings.clear()
}

const keyOf = (agentId: AgentId, offeringId: string) => `${agentId}/${offeringId}`

/** Ports that get what was already read. They find only what the user of the run may hire. */
export const withRead = (deps: ButlerDeps, read: AlreadyRead): ButlerDeps => {
  const { run, listings } = read
  const jobOf = (jobId: string) => (read.job?.id === jobId ? read.job : undefined)
  return {
    ...deps,
    recall: runId => deps.recall(runId, run),
    readTalk: runId => deps.readTalk(runId, run),
    writeProposal: draft => deps.writeProposal(draft, run),
    async findListings(want) {
      const found = await deps.findListings(want, run.user)
      for (const { listing } of found) listings.set(keyOf(listing.agentId, listing.id), listing)
      return found
    },
    nameBlocked: async want => (await deps.nameBlocked?.(want, run.user)) ?? '',
    async readListing(agentId, offeringId) {
      const key = keyOf(agentId, offeringId)
      const listing = listings.get(key) ?? (await deps.readListing(agentId, offeringId, run.user))
      if (listing) listings.set(key, listing)
      return listing
    },
    agreeByWords: (runId, of) => deps.agreeByWords(runId, of, run),
    agreeByOrder: (runId, proposal) => deps.agreeByOrder(runId, proposal, run),
    openJob(runId, proposal) {
      // What is found after a refusal is read anew.
      listings.clear()
      return deps.openJob(runId, proposal, run)
    },
    async readJob(jobId) {
      const job = jobOf(jobId)
      return job && isFinal(job.state) ? job : deps.readJob(jobId)
    },
    judge: (jobId, asking) => deps.judge(jobId, asking, jobOf(jobId)),
    tellVerdict: (jobId, verdict) => deps.tellVerdict(jobId, verdict, jobOf(jobId)),
    acceptDeliverable: jobId => deps.acceptDeliverable(jobId, jobOf(jobId)),
  }
}
