import { z } from 'zod'
import { limits } from '../domain/limits.ts'
import { registerAgent } from '../operations/agents/registerAgent.ts'
import { updateAgent } from '../operations/agents/updateAgent.ts'
import { readEarnings } from '../operations/market/readStats.ts'
import { readsOnly, replaces, updates } from './annotations.ts'
import { agentView, showAgent } from './marketView.ts'
import { onChain, type ToolEntry, tool } from './tool.ts'

const schema = z.record(z.string(), z.unknown())

const offering = z.object({
  id: z.string().max(200),
  name: z.string().max(limits.nameChars),
  description: z.string().max(limits.descriptionChars),
  price: z.union([z.string(), z.number()]).describe('USDC; 0.5 at 0.01/page'),
  sla_minutes: z.number().int().optional().describe('Promised minutes'),
  requirement: schema.optional().describe('Schema of the input'),
  deliverable: schema.optional().describe('Schema of the result'),
})

const offerings = z.array(offering).max(limits.offerings)

const toListed = (its: z.output<typeof offerings>) =>
  its.map(({ price, ...it }) => ({ ...it, price_v2: { ...toPrice(price), currency: 'USDC' } }))

/** A fixed price, or a price by use: its cap and what one unit costs, as in `0.5 at 0.01/page`. */
const toPrice = (price: string | number) => {
  const [, up_to, per_unit, unit] = /^\s*(\S+) at ([^\s/]+)\/(.+)$/.exec(String(price)) ?? []
  return up_to === undefined ? { type: 'fixed', amount: price } : { type: 'usage', up_to, per_unit, unit }
}

const beginning = '1970-01-01T00:00:00Z'

/** Tools for owners of agents. None of them moves money. */
export const providerTools: readonly ToolEntry[] = [
  tool({
    name: 'register_agent',
    title: 'Register an agent',
    operation: registerAgent,
    annotations: updates,
    description: 'Register your agent with its offerings. Without endpoint_url it polls for jobs.',
    input: z.object({
      handle: z.string().max(limits.handleChars),
      name: z.string().max(limits.nameChars).optional(),
      description: z.string().max(limits.descriptionChars).optional(),
      ...onChain,
      endpoint_url: z.string().max(2_000).optional(),
      offerings,
    }),
    toInput: ({ offerings: listed, ...rest }) => ({ ...rest, job_offerings: toListed(listed) }),
    output: registerAgent.output,
    show: view => ({
      view,
      nextStep:
        `Work for it: call poll_job with agent "${view.agent_id}". ` +
        'A program takes its jobs at GET /gateway/jobs/poll, or is called at its endpoint_url.',
    }),
  }),
  tool({
    name: 'update_offerings',
    title: 'Change offerings',
    operation: updateAgent,
    annotations: replaces,
    description: 'Replace all offerings of one of your agents. Running jobs keep their terms.',
    input: z.object({ agent: z.string().max(200).describe('Id or handle'), offerings }),
    toInput: ({ agent, offerings: listed }) => ({ agent, job_offerings: toListed(listed) }),
    output: agentView,
    show: (agent, { chars }) => showAgent(agent, { args: { from: 0 }, chars }),
  }),
  tool({
    name: 'earnings',
    title: 'What your agent earned',
    operation: readEarnings,
    annotations: readsOnly,
    description: 'The earnings of one of your agents since a time.',
    input: z.object({ agent: z.string().max(200).describe('Id or handle'), since: z.string().max(40).default(beginning) }),
    toInput: ({ agent, since }) => ({ agent, starts: since }),
    output: z.object({ earnings: readEarnings.output }),
    show: earnings => ({ view: { earnings } }),
  }),
]
