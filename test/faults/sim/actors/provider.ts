import { z } from 'zod'
import { type Address, address } from '../../../../src/domain/hex.ts'
import { registerAgent } from '../../../../src/operations/agents/registerAgent.ts'
import { completeJob } from '../../../../src/operations/gateway/completeJob.ts'
import { setGatewayMode } from '../../../../src/operations/gateway/credentials.ts'
import { pollJob } from '../../../../src/operations/gateway/pollJob.ts'
import type { Random } from '../random.ts'
import type { Task } from '../tasks.ts'
import type { World } from '../world.ts'
import type { Theme } from './themes.ts'

/** A job that an agent has leased, and how it will treat it. */
export type Held = { jobId: string; input: string; from: number; manner: Manner }
export type Manner =
  | 'good'
  | 'slow'
  | 'vanish'
  | 'fail'
  | 'break'
  | 'twice'
  | 'other'
  | 'then-failed'
  | 'sizes'
  | 'mute'
  | 'lose'
  | 'poison'

type Hold = { process: World['process']; until: number }

export type Agent = {
  handle: string
  owner: Address
  theme: Theme
  price: number
  /** The unit that is charged where the price is above 0. */
  unit?: 'fixed' | 'characters' | 'tokens' | undefined
  slaMinutes: number
  isListed: boolean
  /** Whether it sends its owner's credential with every request. */
  isCareful: boolean
  /** The service confirmed strict mode for the agent. */
  isStrict: boolean
  id: string | undefined
  /** Set after a poll by full id without a credential: until when other pollers get no job, and in which process. */
  hold: Hold | undefined
  /** Set by a poll of another process: until when it may have the agent, so that the agent's own polls may get no job. */
  taken: Hold | undefined
  held: Held[]
  /** Submitted jobs, to be submitted again. */
  past: { jobId: string; deliverable: string }[]
  deliveries: number
}

/** An agent that is about to act. */
export type Providing = { world: World; agent: Agent; random: Random; agents: Agent[] }
type At = Pick<Providing, 'world' | 'agent'>

const registered = z.object({ agent_id: z.string(), onchain_registration: z.object({ agent_wallet: address }) })
const delivery = z.object({ job_id: z.string(), job_input: z.string() })
export type Delivery = z.infer<typeof delivery>
const completed = z.object({ accepted: z.boolean() })

/** USDC for one unit: some deliverables cost less than the smallest price, and some more. */
export const perUnit = '0.0007'

export const isByUse = ({ unit = 'fixed', price }: Agent): boolean => unit !== 'fixed' && price > 0

/** The units that an agent states for a job: none, the true number, or too many. Only the agent knows `tokens`. */
const statedFor = ({ unit }: Agent, jobId: string, response = ''): { units?: number } => {
  const digit = Number.parseInt(jobId.at(-1) ?? '0', 16) || 0
  if (unit === 'tokens') return { units: 10 * digit }
  if (unit !== 'characters' || digit % 4 === 0) return {}
  return { units: digit % 4 === 2 ? response.length : 10 * response.length }
}

/** Registers the agent in its present form, or updates its registration. */
export const register = async ({ world, agent }: At): Promise<void> => {
  const { handle, theme, price, unit, slaMinutes, isListed } = agent
  const { requirement, deliverable, name, description } = theme
  const offering = {
    id: 'main',
    name,
    description,
    price,
    ...(isByUse(agent) && { price_v2: { type: 'usage', up_to: price, unit, per_unit: perUnit, currency: 'USDC' } }),
    requirement,
    deliverable,
    sla_minutes: slaMinutes,
    hide: !isListed,
    ...(theme.isValidated && { validation: true }),
  }
  const request = world.ask({
    operation: registerAgent,
    input: { handle, chain_id: 97, name: handle, tags: [theme.name], job_offerings: [offering] },
    wallet: agent.owner,
    heard(answer) {
      if (!('value' in answer)) return
      const { agent_id, onchain_registration } = registered.parse(answer.value)
      agent.id = agent_id
      world.log.agentWallets.set(agent_id, onchain_registration.agent_wallet)
    },
  })
  await world.go(request)
}

/** Sets strict mode for the agent. */
export const goStrict = async ({ world, agent }: At): Promise<void> => {
  const request = world.ask({
    operation: setGatewayMode,
    input: { agent: agent.handle, mode: 'strict' },
    wallet: agent.owner,
    heard(answer) {
      if ('value' in answer) agent.isStrict = true
    },
  })
  await world.go(request)
}

/** The agent's credential: its owner's token, or none. */
export const credentialOf = ({ owner, isCareful }: Agent): Address | undefined => (isCareful ? owner : undefined)

type Poll = { agent: string; timeout: number }
type Polling = { wallet: Address | undefined; source?: string; given: (job: Delivery) => void; heard?: () => void }

/** Polls for the next job. `given` is called when there is one. */
export const askForJob = (world: World, input: Poll, { wallet, source, given, heard }: Polling): Task =>
  world.ask({
    operation: pollJob,
    input,
    wallet,
    source,
    heard(answer) {
      if ('value' in answer) heard?.()
      const job = 'value' in answer ? delivery.safeParse(answer.value).data : undefined
      if (!job) return
      world.log.deliveries.set(job.job_id, (world.log.deliveries.get(job.job_id) ?? 0) + 1)
      given(job)
    },
  })

type Result = { status?: string; response?: string; error?: string }

/** Submits a deliverable, or reports a failure. */
export const complete = ({ world, agent }: At, jobId: string, { status = 'completed', response, error }: Result): Task => {
  if (agent.isCareful) world.log.proven.add(jobId)
  const stated = statedFor(agent, jobId, response)
  return world.ask({
    operation: completeJob,
    wallet: credentialOf(agent),
    input: {
      job_id: jobId,
      ...(agent.id && { agent_id: agent.id }),
      status,
      ...(response !== undefined && { result: { response } }),
      ...(error && { error }),
      ...stated,
    },
    heard(answer) {
      if (!('value' in answer) || !response) return
      const { accepted } = completed.parse(answer.value)
      world.log.handed.push({ jobId, deliverable: response, agentId: agent.id, accepted, ...stated })
    },
  })
}

/** Sends a completion with neither a deliverable nor a failure. It must be refused, and the lease must stay. */
export const completeMutely = ({ world, agent }: At, jobId: string, said: Record<string, unknown>): Task =>
  world.ask({
    operation: completeJob,
    wallet: credentialOf(agent),
    input: { job_id: jobId, ...said },
    heard(answer) {
      if ('value' in answer) world.log.scandals.push(`I4 a completion of job ${jobId} was taken that says nothing`)
    },
  })
