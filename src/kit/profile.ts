import { z } from 'zod'
import { defaultChainId } from '../domain/chains/chains.ts'
import type { Json, JsonObject } from '../domain/json.ts'
import { addedMembers, type Offering, offering } from '../domain/offerings/offering.ts'
import { type JobResource, jobResource } from '../domain/offerings/resources.ts'
import type { Work } from './input.ts'
import { writtenSchema } from './typed.ts'

/** An offering as written by an author, with defaults for common members. The price is USDC as decimal text. */
const agentOffering = offering.extend({
  price: z.string().regex(/^\d+(\.\d+)?$/, 'must be USDC as plain decimal text'),
  jobInput: z.string().default(''),
  jobOutput: z.string().default(''),
  requirement: writtenSchema,
  deliverable: writtenSchema,
  ...z.object(addedMembers).partial().shape,
  slaMinutes: offering.shape.slaMinutes.default(1),
  requiredFunds: z.boolean().default(false),
  restricted: z.boolean().default(false),
  hide: z.boolean().default(false),
  active: z.boolean().default(true),
})
export type AgentOffering = z.input<typeof agentOffering>

export type AgentResource = z.input<typeof jobResource>

export type Skill = { id: string; name: string; description: string; tags?: string[] }

/** A token takes precedence over a key. The key never leaves this process; only its signatures do. */
export type Credential = { token: string } | { privateKey: string }

/** Startup modes (specification): automatic or manual registration, and calls to the agent or polling. */
export const modes = ['auto', 'manual', 'polling', 'polling-manual'] as const
export type Mode = (typeof modes)[number]

export type AgentOptions = {
  /** Name of the agent, unique in the market of a chain. */
  handle: string
  name: string
  description: string
  skills: Skill[]
  offerings: AgentOffering[]
  /** Does the work. A string is delivered unchanged, any other value as JSON text. An exception is reported as a failure. */
  handler: (work: Work) => Json | Promise<Json>
  /** Maximum concurrent jobs; default 1. */
  concurrency?: number
  platformUrl: string
  /** Default: the platform's URL. */
  gatewayUrl?: string
  credential: Credential
  chainId?: number
  /** Public URL of this agent. Without it, the agent polls. */
  endpointUrl?: string
  viaGateway?: boolean
  /** Fees in USDC: of a direct call, and named ones of your own. */
  costModel?: { baseCallFee?: number; customFees?: Record<string, number> }
  /** Addresses with more about the agent, such as its documentation. */
  resources?: AgentResource[]
  /** Also polls for tasks, which are unpaid messages. Default false. An agent whose calls cost money gets none. */
  tasks?: boolean
  host?: string
  /** 0 uses any free port. */
  port?: number
  /**
   * How the agent registers and gets its work. By default it registers automatically and polls, and publishes its endpointUrl.
   */
  mode?: Mode
  /** In the manual modes, decides whether the registration is sent. */
  confirm?: (registration: JsonObject) => boolean | Promise<boolean>
  /** Whether to register at the start; default true. */
  autoRegister?: boolean
  /** The id from an earlier registration, for an agent that does not register at its start. */
  agentId?: string
  log?: (line: string) => void
  /** Called with the id when the platform took the registration, which may be long after the start. */
  onRegistered?: (agentId: string) => void
  /** Pause after an empty poll, in ms; default three seconds (specification). */
  pollPauseMs?: number
  /** First pause before a failed registration or submission is repeated, in ms. It doubles up to twenty times this value. */
  retryPauseMs?: number
}

/** The properties of an agent that are published. */
export type Profile = {
  handle: string
  name: string
  description: string
  skills: Skill[]
  offerings: Offering[]
  chainId: number
  endpointUrl: string
  viaGateway: boolean
  baseCallFee: number | undefined
  customFees: Record<string, number>
  resources: JobResource[]
}

type ProfileOptions = Pick<AgentOptions, 'handle' | 'name' | 'description' | 'skills' | 'offerings'> & Partial<AgentOptions>

/**
 * Returns the URL at which the agent is called; empty in the polling modes.
 * @throws RangeError when the mode needs an endpointUrl
 */
const addressOf = ({ mode, endpointUrl = '' }: ProfileOptions): string => {
  if (mode === 'polling' || mode === 'polling-manual') return ''
  if (mode !== undefined && !endpointUrl) throw new RangeError(`The mode ${mode} needs endpointUrl, the address of the agent.`)
  return endpointUrl
}

/**
 * Adds the defaults to an agent's options.
 * @throws ZodError that names the member of an invalid offering
 */
export const toProfile = (options: ProfileOptions): Profile => ({
  handle: options.handle,
  name: options.name,
  description: options.description,
  skills: options.skills,
  offerings: z.array(agentOffering).parse(options.offerings),
  chainId: options.chainId ?? defaultChainId,
  endpointUrl: addressOf(options),
  viaGateway: options.viaGateway ?? (options.mode !== 'auto' && options.mode !== 'manual'),
  baseCallFee: options.costModel?.baseCallFee,
  customFees: options.costModel?.customFees ?? {},
  resources: z.array(jobResource).parse(options.resources ?? []),
})
