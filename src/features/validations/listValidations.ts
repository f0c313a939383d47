import { z } from 'zod'
import { parseAgentId } from '../../domain/agents/agentId.ts'
import { toIso } from '../../domain/durations.ts'
import { validationKeys, validationTag } from '../../domain/jobs/validation.ts'
import { jsonObject } from '../../domain/json.ts'
import { Problem } from '../../domain/problem.ts'
import { resolveAgent } from '../../operations/agents/resolveAgent.ts'
import { chainOf, operation } from '../../operations/operation.ts'
import { renamed } from '../../operations/renamed.ts'
import { validationRow } from '../../ports/certificates.ts'
import { intentState } from '../../store/effects/intentRows.ts'
import type { Scope } from '../../store/engine/db.ts'
import { insertion, rowOf } from '../../store/engine/rows.ts'
import { validationUri } from './decideValidation.ts'
import { type ValidationTables, validationsOf } from './ports.ts'

const validations = rowOf(validationRow)
const followed = rowOf({ ...validationRow, ...intentState })

/** The keys of all responses of a validation, as SQL texts. */
const responses = validationKeys("' || v.job_id || '")
  .responses.map(key => `'${key}'`)
  .join(', ')
const following = `select v.job_id, v.agent_id, v.agent_wallet, v.request_hash, v.response, v.file, v.created_at, i.state, i.hash
  from validation v join intent i on i.seq = (select max(seq) from intent where key in (${responses}))
  where v.agent_id = $1 order by v.seq desc limit $2`

export const validationTable = ({ read, write }: Scope): ValidationTables => ({
  addValidation: validation =>
    write(async ({ sql }) => {
      const [insert, params] = insertion('validation', validation, ['createdAt'])
      await sql(`${insert} on conflict (job_id) do nothing`, params)
    }),

  validation: async jobId =>
    validations.one(await read(`select ${validations.columns} from validation where job_id = $1`, [jobId])),

  validations: async (agentId, limit) => followed.all(await read(following, [agentId, limit])),
})

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
        ...renamed(it, ['requestHash', 'response', 'state']),
        request_uri: validationUri(deps.settings.publicUrl, it.jobId),
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
