import { z } from 'zod'
import { parseAgentId } from '../../domain/agents/agentId.ts'
import { toIso } from '../../domain/durations.ts'
import { validationTag } from '../../domain/jobs/validation.ts'
import { jsonObject } from '../../domain/json.ts'
import { Problem } from '../../domain/problem.ts'
import { resolveAgent } from '../../operations/agents/resolveAgent.ts'
import { chainOf, operation } from '../../operations/operation.ts'
import { validationUri } from './decideValidation.ts'
import { validationsOf } from './ports.ts'

const record = z.object({
  request_hash: z.string(),
  request_uri: z.string(),
  response: z.number().describe('100: the deliverable passed its checks; 0: it failed them'),
  state: z.enum(['waiting', 'sent', 'confirmed', 'reverted']).describe("Of the evaluator's response on chain"),
  tx_hash: z.string().describe('Transaction of the response; empty before it is sent'),
  created_at: z.string(),
})

export const listValidations = operation({
  name: 'listValidations',
  summary:
    "Validations of an agent's work in the ERC-8004 validation registry: " +
    'count and average as the registry has them, and the newest ones.',
  caller: 'anyone',
  input: z.object({ agent: z.string().max(200), limit: z.coerce.number().int().min(1).max(100).default(20) }),
  output: z.object({
    agent_id: z.string(),
    registry: z.string().describe('Address of the registry; empty where the chain has none'),
    validator: z.string().describe('The evaluator, which responds'),
    tag: z.string(),
    count: z.number().describe('Responses in the registry'),
    average: z.number().describe('Average response, 0–100'),
    validations: z.array(record),
  }),

  async run({ agent: text, limit }, deps) {
    const agent = await resolveAgent(deps, text)
    const number = agent?.id && parseAgentId(agent.id)?.number
    if (!agent?.id || number === undefined || number === '') throw new Problem('agent-not-found')
    const { addresses, evaluator, validations } = chainOf(deps, agent.chainId)
    const summary = (await validations?.summary(number)) ?? { count: 0, average: 0 }
    const newest = await validationsOf(deps.store).validations(agent.id, limit)
    return {
      agent_id: agent.id,
      registry: addresses.validation ?? '',
      validator: evaluator,
      tag: validationTag,
      ...summary,
      validations: newest.map(it => ({
        request_hash: it.requestHash,
        request_uri: validationUri(deps.settings.publicUrl, it.jobId),
        response: it.response,
        state: it.state,
        tx_hash: it.hash ?? '',
        created_at: toIso(it.createdAt),
      })),
    }
  },
})

/** Public, because the registry names this URL. */
export const readValidation = operation({
  name: 'readValidation',
  summary: 'The request file of an entry in the ERC-8004 validation registry: what was judged, by its hashes.',
  caller: 'anyone',
  input: z.object({ job_id: z.string().max(100) }),
  output: jsonObject,

  async run({ job_id }, { store }) {
    const validation = await validationsOf(store).validation(job_id)
    if (!validation) throw new Problem('job-not-found')
    return jsonObject.parse(JSON.parse(validation.file))
  },
})
