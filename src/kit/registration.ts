import type { JsonObject } from '../domain/json.ts'
import { toCard, toWireOffering } from './card.ts'
import type { Platform } from './platform.ts'
import type { Profile } from './profile.ts'
import type { Signer } from './signer.ts'
import { toReason } from './work.ts'

/** Existing clients name this price for a call where the agent names none. */
const leastCallFee = 0.001

/**
 * The body of POST /agents/register without the signer's members, with the keys that existing clients send.
 * A polling agent has no address of its own: its card names the page of its record, which stays when a free port does not.
 */
const toRegistration = (profile: Profile, platformUrl: string): JsonObject => {
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

type MembershipDeps = { platform: Platform; profile: Profile; signer: Signer; platformUrl: string; log: (line: string) => void }

/** The agent's place in the market: its id, and one try to get it. */
export const createMembership = ({ platform, profile, signer, platformUrl, log }: MembershipDeps) => {
  // The gateway knows this form too, so that an agent whose registration is late can already ask for jobs.
  let id = `erc8004:${profile.handle}`
  return {
    agentId: () => id,
    /** True when the platform gave an id; otherwise the reason is in the log. Never throws. */
    register: async (): Promise<boolean> => {
      try {
        const answer = await platform.register({ ...toRegistration(profile, platformUrl), ...(await signer()) })
        id = answer.agent_id
        log(`registered as ${id}`)
        if (answer.unchanged) log('warning: the platform keeps the earlier registration; register with a token to change it')
        return true
      } catch (error) {
        log(`warning: not registered yet, it is tried again: ${toReason(error)}`)
        return false
      }
    },
  }
}
