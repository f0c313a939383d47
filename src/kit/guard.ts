import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import type { Platform } from './platform.ts'
import type { Profile } from './profile.ts'

type GuardDeps = { profile: Profile; platform: Platform; agentId: () => string; hasToken: boolean }

/** A call to the agent's own server: its text, and the job it claims to be for. */
export type Call = { message: string; jobId: string | undefined; offeringId: string | undefined }

const loopback = /^(?:127\.|::1$|::ffff:127\.)/

/**
 * Creates a check of calls to the agent's own server. It returns the reason for a refusal, or undefined. A polling agent
 * accepts calls from its own machine only. An agent with an endpoint and offerings accepts a call for a job that the platform
 * confirms: leased to this agent with this input. Without a token the platform confirms no job, so every call is accepted.
 */
export const createGuard =
  ({ profile, platform, agentId, hasToken }: GuardDeps) =>
  async (c: Context, { message, jobId, offeringId }: Call): Promise<string | undefined> => {
    if (!profile.endpointUrl) return isOwnMachine(c) ? undefined : 'this agent gets its work from the gateway'
    if (!hasToken || profile.offerings.length === 0) return undefined
    const job = jobId === undefined ? undefined : await platform.readJob(jobId).catch(() => undefined)
    const isMeant =
      job?.provider_id === agentId() &&
      job.escrow.state === 'leased' &&
      job.metadata.offering_id === offeringId &&
      job.description.endsWith(`: ${message}`)
    return isMeant ? undefined : 'hire this agent through the market: the platform confirms no such job'
  }

const isOwnMachine = (c: Context): boolean => {
  const { address } = getConnInfo(c).remote
  return address !== undefined && loopback.test(address)
}
