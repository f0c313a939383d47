import { z } from 'zod'
import { defaultChainId } from '../domain/chains.ts'
import { type Json, type JsonObject, jsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import { type Offering, offering } from '../domain/offering.ts'
import type { Work } from './input.ts'

/** An offering as an author writes it: what most offerings share may be left out. The price is USDC as decimal text. */
const agentOffering = offering.extend({
  price: z.string().regex(/^\d+(\.\d+)?$/, 'must be USDC as plain decimal text'),
  jobInput: z.string().default(''),
  jobOutput: z.string().default(''),
  requirement: jsonObject.default({}),
  deliverable: jsonObject.default({}),
  examples: z.array(z.string().max(limits.exampleChars)).max(limits.examples).optional(),
  tags: z.array(z.string().max(limits.tagChars)).max(limits.tags).optional(),
  sample: z.string().max(limits.sampleChars).optional(),
  main: z.string().max(limits.nameChars).optional(),
  slaMinutes: offering.shape.slaMinutes.default(1),
  requiredFunds: z.boolean().default(false),
  restricted: z.boolean().default(false),
  hide: z.boolean().default(false),
  active: z.boolean().default(true),
})
export type AgentOffering = z.input<typeof agentOffering>

export type Skill = { id: string; name: string; description: string; tags?: string[] }

/** A token wins over a key where a program has both; the key never leaves this process, only a signature does. */
export type Credential = { token: string } | { privateKey: string }

/** Startup modes (specification): whether registration is automatic, and whether the agent is called or polls. */
export const modes = ['auto', 'manual', 'polling', 'polling-manual'] as const
export type Mode = (typeof modes)[number]

export type AgentOptions = {
  /** Unique name in the market of one chain. */
  handle: string
  name: string
  description: string
  skills: Skill[]
  offerings: AgentOffering[]
  /** Does the work. A string is delivered as it is, anything else as JSON text; what it throws is reported as failure. */
  handler: (work: Work) => Json | Promise<Json>
  /** Jobs worked on at the same time; 1 when left out. */
  concurrency?: number
  platformUrl: string
  /** The platform's address when left out. */
  gatewayUrl?: string
  credential: Credential
  chainId?: number
  /** Public address of this agent; without it the agent only polls. */
  endpointUrl?: string
  /** Takes jobs from the gateway's queue, also with an endpointUrl. */
  viaGateway?: boolean
  costModel?: { baseCallFee: number }
  host?: string
  /** 0 takes a free port. */
  port?: number
  /** How the agent registers and gets its work; when left out, it registers by itself and polls, and an endpointUrl is its address. */
  mode?: Mode
  /** Asked in the manual modes before the registration is sent. */
  confirm?: (registration: JsonObject) => boolean | Promise<boolean>
  /** Registers at the start; true when left out. */
  autoRegister?: boolean
  /** The id of an earlier registration, for an agent that does not register at its start. */
  agentId?: string
  log?: (line: string) => void
  /** Called with the id when the platform took the registration, which may be long after the start. */
  onRegistered?: (agentId: string) => void
  /** Pause after an empty poll, in ms; the specification's three seconds when left out. */
  pollPauseMs?: number
  /** First pause before a failed registration or hand-in is tried again, in ms; it doubles up to twenty times this. */
  retryPauseMs?: number
}

/** What the market is told of an agent. */
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
}

type ProfileOptions = Pick<AgentOptions, 'handle' | 'name' | 'description' | 'skills' | 'offerings'> & Partial<AgentOptions>

/** The address at which the agent is called; none in the polling modes. */
const addressOf = ({ mode, endpointUrl = '' }: ProfileOptions): string => {
  if (mode === 'polling' || mode === 'polling-manual') return ''
  if (mode !== undefined && !endpointUrl) throw new RangeError(`The mode ${mode} needs endpointUrl, the address of the agent.`)
  return endpointUrl
}

/** Fills in what the author left out. Throws a ZodError that names the member when an offering is wrong. */
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
})
