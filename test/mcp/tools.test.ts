import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createAskState } from '../../src/mcp/asking.ts'
import { createMcpServer } from '../../src/mcp/server.ts'
import { coreTools } from '../../src/mcp/tools.ts'
import { asking, tools as assembled } from '../assembled.ts'

const schema = z.object({ type: z.literal('object'), properties: z.record(z.string(), z.unknown()) }).loose()
const listed = z.array(
  z.object({
    name: z.string(),
    title: z.string().min(1),
    description: z.string().min(1),
    annotations: z.record(z.string(), z.boolean()),
    inputSchema: schema,
    outputSchema: schema,
  }),
)

let tools: z.infer<typeof listed>
let text: string
beforeAll(async () => {
  const call = async () => ({})
  const server = createMcpServer({
    tools: assembled,
    asking,
    call,
    page: 'https://market.example/app/me',
    log: () => undefined,
    askState: createAskState(),
  })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test-host', version: '1' })
  await Promise.all([server.connect(ours), client.connect(theirs)])
  const answer = await client.listTools()
  text = JSON.stringify(answer)
  tools = listed.parse(answer.tools)
  await client.close()
})

const run = 'run_id conversation_id chain_id task state content proposal? purchase? plan? job? verdict?'
const agent = [
  'agent_id handle name description chain_id owner_id wallet_address endpoint_url',
  'version verified created_at stats reputation offerings total_offerings',
].join(' ')
const job = [
  'job_id status description reward_amount reward_token client_id provider_id evaluator_id chain_id',
  'escrow reason created_at updated_at expires_at deliverable deliverable_chars deadlines?',
].join(' ')

/** Each tool: the members of its result that clients may rely on, and the hints that are true. test/surface pins the arguments. */
const pinned = {
  search_offerings: ['offerings', 'readOnly'],
  propose_hire: [run, 'destructive openWorld'],
  hire: [run, 'destructive idempotent openWorld'],
  confirm_hire: [run, 'destructive idempotent openWorld'],
  cancel_hire: [run, 'destructive idempotent'],
  appeal_run: ['run_id job_id state reason', 'idempotent'],
  get_run: [run, 'readOnly'],
  list_run_events: ['run_id events', 'readOnly'],
  list_payments: ['payments', 'readOnly'],
  get_job: [job, 'readOnly'],
  list_jobs: ['jobs total', 'readOnly'],
  get_agent: [agent, 'readOnly'],
  list_agents: ['agents total', 'readOnly'],
  list_rankings: ['rankings', 'readOnly'],
  list_mandates: ['mandates', 'readOnly'],
  get_wallet: ['ethereum balances', 'readOnly'],
  register_agent: ['agent_id handle chain_id wallet_address onchain_registration unchanged warnings', 'idempotent'],
  update_offerings: [agent, 'destructive idempotent'],
  earnings: ['earnings', 'readOnly'],
  poll_job: ['job?', ''],
  complete_job: ['job_id state accepted evaluation?', 'idempotent'],
  withdraw: ['done message', 'destructive'],
  create_mandate: ['done message', 'destructive'],
}

const membersOf = ({ properties, required }: z.infer<typeof schema>) => {
  const always = z.array(z.string()).default([]).parse(required)
  const sometimes = Object.keys(properties).filter(it => !always.includes(it))
  return [...always, ...sometimes.map(it => `${it}?`)].join(' ')
}
const hintsOf = (annotations: Record<string, boolean>) =>
  Object.entries(annotations)
    .flatMap(([name, isTrue]) => (isTrue ? [name.replace('Hint', '')] : []))
    .join(' ')

/** The tools of features, which a service without the feature does not have. */
const pinnedOfFeatures: Record<string, string[]> = {
  trade_token: ['done message', 'destructive'],
  list_activity: ['activity', 'readOnly'],
}

const ofFeatures = assembled.filter(it => !coreTools.includes(it))

test('each tool has the name, result and hints that clients know', () => {
  const found = tools.map(it => [it.name, [membersOf(it.outputSchema), hintsOf(it.annotations)]])
  expect(Object.fromEntries(found)).toEqual({
    ...pinned,
    ...Object.fromEntries([...ofFeatures, ...asking].map(it => [it.name, pinnedOfFeatures[it.name]])),
  })
})

test('the list of all tools has at most 20,000 characters, because a model reads it before its first call', () => {
  expect(text.length).toBeLessThanOrEqual(20_000)
})

/** Keywords that JSON Schema has had since draft 7, which older client libraries read. */
const keywords = ['type', 'properties', 'required', 'items', 'enum', 'description', 'default', 'anyOf', 'additionalProperties']
const bounds = ['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'minItems', 'maxItems']

test('each schema uses only keywords that clients of every protocol version can compile', () => {
  const namesOf = (it: unknown): string[] => {
    if (typeof it !== 'object' || it === null) return []
    const {
      properties = {},
      enum: _values,
      default: _default,
      required: _required,
      ...rest
    } = z.record(z.string(), z.unknown()).parse(it)
    const inner = Object.values(z.record(z.string(), z.unknown()).parse(properties))
    return [...Object.keys(it), ...inner.flatMap(namesOf), ...Object.values(rest).flat().flatMap(namesOf)]
  }
  const used = new Set(tools.flatMap(it => [...namesOf(it.inputSchema), ...namesOf(it.outputSchema)]))
  expect([...used].filter(it => ![...keywords, ...bounds].includes(it))).toEqual([])
})
