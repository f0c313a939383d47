import type { JsonObject } from '../domain/json.ts'
import { toCard, toWireOffering } from './card.ts'
import { type Platform, RegistrationRefused } from './platform.ts'
import type { Profile } from './profile.ts'
import type { Signer } from './signer.ts'
import { toReason } from './work.ts'

/** Price of a call in USDC that existing clients send when the agent sets none. */
const minCallFee = 0.001

/**
 * Builds the body of POST /agents/register in the form of existing clients, without the members of the signer. A polling agent
 * has no endpoint, so its card contains the URL of its record, which does not change with the port.
 */
export const toRegistration = (profile: Profile, platformUrl: string): JsonObject => {
  const fee = profile.baseCallFee
  const url = profile.endpointUrl || `${platformUrl.replace(/\/+$/, '')}/agents/handle/${encodeURIComponent(profile.handle)}`
  return {
    handle: profile.handle,
    card: toCard(profile, url),
    skills: profile.skills.map(({ name, description }) => ({ name, description, inputs: [], outputs: [] })),
    tasks: profile.skills.map(({ name, description }) => ({ name, description })),
    cost_model: { ...(fee === undefined ? {} : { base_call_fee: fee }), custom_fees: profile.customFees },
    price: { amount: fee || minCallFee, currency: 'USD' },
    jobOfferings: profile.offerings.map(toWireOffering),
    jobResources: profile.resources,
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
  /** The id from an earlier registration. */
  known: string | undefined
  log: (line: string) => void
  onRegistered: ((agentId: string) => void) | undefined
}

/** The result of one attempt to register: an id, a failure to repeat, or a permanent refusal. */
export type Attempt = 'registered' | 'later' | RegistrationRefused

/** Keeps the agent's id and makes single attempts to register. */
export const createMembership = ({ platform, profile, signer, platformUrl, known, log, onRegistered }: MembershipDeps) => {
  let id = known ?? ''
  const body = toRegistration(profile, platformUrl)
  const send = async () => platform.register({ ...body, ...(await signer()) })
  /** Signs the platform's challenge once if it requires fresh proof of the wallet. A token cannot sign. */
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
    /** Returns the id; empty until the platform assigns one. */
    agentId: () => id,
    /** Makes one attempt to register and logs the reason of a failure. It never throws. */
    register: async (): Promise<Attempt> => {
      try {
        const answer = await send().catch(sendAgain)
        id = answer.agent_id
        log(`registered as ${id}`)
        onRegistered?.(id)
        for (const it of answer.warnings) log(`warning: ${it}`)
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
