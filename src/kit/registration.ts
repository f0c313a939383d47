import type { JsonObject } from '../domain/json.ts'
import { toCard, toWireOffering } from './card.ts'
import { type Platform, RegistrationRefused } from './platform.ts'
import type { Profile } from './profile.ts'
import type { Signer } from './signer.ts'
import { toReason } from './work.ts'

/** Existing clients name this price for a call where the agent names none. */
const leastCallFee = 0.001

/**
 * The body of POST /agents/register without the signer's members, with the keys that existing clients send.
 * A polling agent has no address of its own: its card names the page of its record, which stays when a free port does not.
 */
export const toRegistration = (profile: Profile, platformUrl: string): JsonObject => {
  const fee = profile.baseCallFee
  const url = profile.endpointUrl || `${platformUrl.replace(/\/+$/, '')}/agents/handle/${encodeURIComponent(profile.handle)}`
  return {
    handle: profile.handle,
    card: toCard(profile, url),
    skills: profile.skills.map(({ name, description }) => ({ name, description, inputs: [], outputs: [] })),
    tasks: profile.skills.map(({ name, description }) => ({ name, description })),
    cost_model: { ...(fee === undefined ? {} : { base_call_fee: fee }), custom_fees: {} },
    price: { amount: fee || leastCallFee, currency: 'USD' },
    jobOfferings: profile.offerings.map(toWireOffering),
    jobResources: [],
    metadata: profile.viaGateway ? { via_gateway: true } : {},
    endpoint_url: profile.endpointUrl,
    chain_id: profile.chainId,
  }
}

type MembershipDeps = {
  platform: Platform
  profile: Profile
  signer: Signer
  platformUrl: string
  /** An id that an earlier registration gave. */
  known: string | undefined
  log: (line: string) => void
  onRegistered: ((agentId: string) => void) | undefined
}

/** What came of one attempt to register: an id, a reason to try again, or a refusal that will not change. */
export type Attempt = 'registered' | 'later' | RegistrationRefused

/** The agent's id, and one attempt to get it. */
export const createMembership = ({ platform, profile, signer, platformUrl, known, log, onRegistered }: MembershipDeps) => {
  let id = known ?? ''
  const body = toRegistration(profile, platformUrl)
  const send = async () => platform.register({ ...body, ...(await signer()) })
  /** A wallet that must prove itself afresh signs the platform's challenge once. A token has nothing to sign. */
  const sendAgain = async (error: unknown) => {
    if (!(error instanceof RegistrationRefused) || error.challenge === undefined) throw error
    const proof = await signer(error.challenge).catch((reason: unknown) => {
      log(`warning: ${toReason(reason)}`)
      throw error
    })
    if (Object.keys(proof).length === 0) throw error
    return platform.register({ ...body, ...proof })
  }
  return {
    /** Empty until the platform gave an id. */
    agentId: () => id,
    /** Registers once. The log holds the reason of a failure. Never throws. */
    register: async (): Promise<Attempt> => {
      try {
        const answer = await send().catch(sendAgain)
        id = answer.agent_id
        log(`registered as ${id}`)
        onRegistered?.(id)
        if (answer.unchanged) log('warning: the platform keeps the earlier registration; register with a token to change it')
        return 'registered'
      } catch (error) {
        if (error instanceof RegistrationRefused && error.isPermanent) return error
        log(`warning: not registered at ${platformUrl} yet (${toReason(error)}); the agent serves locally and tries again`)
        return 'later'
      }
    },
  }
}
