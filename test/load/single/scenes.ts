import { z } from 'zod'
import { materialNames, textOf } from './fillings.ts'
import type { Case, Known } from './requests.ts'

type Place = { url: string; token: string }

/** Registers agents, so that there is something to search and to read, and returns requests that need them. */
export const scenes = async ({ url, token }: Place): Promise<{ cases: Case[]; known: Known }> => {
  const bearer = { authorization: `Bearer ${token}` }
  const headers = { ...bearer, 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.9' }
  const post = async (path: string, body: unknown): Promise<unknown> =>
    (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  const register = (handle: string, job_offerings: object[]) =>
    post('/agents/register', { handle, name: handle, chain_id: 97, via_gateway: true, job_offerings })
  for (let at = 0; at < 60; at += 1)
    await register(
      `many-${at}`,
      Array.from({ length: 5 }, (_, each) =>
        toOffering(`o${each}`, `Work of kind ${at * 5 + each} with ${subjects[at % subjects.length]}`),
      ),
    )
  const costly = await register('costly', [
    { ...toOffering('o1', 'Check'), deliverable: costlySchema },
    { ...toOffering('o2', 'Pay'), requirement: costlySchema },
    { ...toOffering('o3', 'Certify'), requirement: costlyRequirement, job_input: `for example ${thousandTexts}` },
    { ...toOffering('o4', 'Fill the form'), requirement: wideRequirement },
  ])
  const { agent_id } = z.object({ agent_id: z.string() }).parse(costly)
  const known = {
    agent: agent_id,
    handle: 'costly',
    offering_id: 'o1',
    agent_id,
    chain_id: '97',
    user_id: token.slice(0, 0) || 'x',
  }
  const json = (name: string, path: string, body: unknown, settleMs?: number): Case => ({
    ...{ name, method: 'POST', path, headers: bearer, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) },
    ...(settleMs && { settleMs }),
  })
  const tests = async (): Promise<string> => {
    await post('/agents/costly/tests', { offering_id: 'o1', input: { text: 'x' } })
    const polled = await (await fetch(`${url}/gateway/jobs/poll?agent=costly`, { headers })).json()
    return z.object({ job_id: z.string() }).parse(polled).job_id
  }
  const cases = Object.entries(deliverables).map(
    ([what, deliverable]): Case => ({
      ...{ name: `deliverable of ${what}`, method: 'POST', path: '/gateway/jobs/complete', headers: bearer },
      body: async () => Buffer.from(JSON.stringify({ job_id: await tests(), agent_id, deliverable })),
    }),
  )
  cases.push(
    json('paid call with a costly body', '/x402/agents/costly/offerings/o2', zeros(10_000)),
    json('certificate of a costly offering', '/agents/costly/certificates', { offering_id: 'o3' }),
    { name: 'diagnosis of a costly agent', method: 'GET', path: '/agents/costly/diagnosis', headers: bearer },
    { name: 'the page', method: 'GET', path: '/' },
    { name: 'the reference', method: 'GET', path: '/reference' },
    { name: 'the problems', method: 'GET', path: '/problems' },
    { name: 'the document', method: 'GET', path: '/openapi.json' },
    { name: 'an unknown path', method: 'GET', path: `/${'a/'.repeat(3_000)}` },
    ...materialNames.flatMap(material => messages(material, json)),
    ...mcpCases(),
  )
  return { cases, known }
}

type ToCase = (name: string, path: string, body: unknown, settleMs?: number) => Case

/** Messages to the butler, and to the agent with a form of 64 fields. Their runs go on after the answer. */
const messages = (material: string, json: ToCase): Case[] =>
  [200, 4_000, 32_000].flatMap(chars => {
    const message = textOf(material, chars)
    const of = (name: string, text: string) =>
      json(`${name} ${material} ${chars}`, '/invoke', { message: text.slice(0, 32_768), wait_ms: 3_000 }, 400)
    return [of('message', `x ${message}`), of('message to a form', `Hire agent costly to fill the form: ${message}`)]
  })

const mcpCases = (): Case[] => {
  const headers = { accept: 'application/json, text/event-stream' }
  const call = (name: string, method: string, params: object): Case => ({
    ...{ name: `mcp ${name}`, method: 'POST', path: '/mcp', headers },
    body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })),
  })
  const text = textOf('words', 30_000)
  return [
    call('tools/list', 'tools/list', {}),
    call('search', 'tools/call', { name: 'search_offerings', arguments: { query: text } }),
    call('a tool with many arguments', 'tools/call', {
      name: 'search_offerings',
      arguments: Object.fromEntries(Array.from({ length: 15_000 }, (_, at) => [`k${at}`, 1])),
    }),
    {
      ...call('a batch', 'tools/list', {}),
      body: Buffer.from(JSON.stringify(Array.from({ length: 5_000 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' })))),
    },
  ]
}

const subjects = ['texts', 'pictures', 'cities', 'numbers', 'contracts', 'music', 'code']
const toOffering = (id: string, name: string) => ({ id, name, description: name, price_v2: { type: 'fixed', amount: 0.01 } })
const choice = { anyOf: [...Array.from({ length: 63 }, (_, at) => ({ enum: [`x${at}`] })), { type: 'number' }] }
const costlySchema = { type: 'object', properties: { a: { type: 'array', items: { allOf: [choice, choice, choice] } } } }
const lengths = { anyOf: Array.from({ length: 60 }, (_, at) => ({ minLength: at, maxLength: at })) }
const costlyRequirement = { required: ['t0'], properties: { t0: {}, n: { type: 'number' } }, additionalProperties: lengths }
const thousandTexts = JSON.stringify(Object.fromEntries(Array.from({ length: 700 }, (_, at) => [`t${at}`, 'x'])))
const types = ['string', 'number', 'integer', 'boolean', 'array', 'string'] as const
const wideRequirement = {
  type: 'object',
  required: Array.from({ length: 30 }, (_, at) => `field_${at}`),
  properties: Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => {
      const type = types[at % types.length]
      const formats = ['date', 'email', 'uri', 'time']
      const more =
        at % 6 === 5
          ? { format: formats[at % 4] }
          : at % 6 === 0
            ? { enum: Array.from({ length: 12 }, (_, n) => `Berlin ${n}`) }
            : {}
      return [`field_${at}`, { type, ...more, ...(type === 'array' && { items: { type: 'string' } }) }]
    }),
  ),
}
const zeros = (count: number) => JSON.stringify({ a: Array.from({ length: count }, () => 0) })
const deliverables: Readonly<Record<string, string>> = {
  numbers: zeros(130_000),
  'empty lists': `{"a":[${Array(80_000).fill('[]')}]}`,
  'many members': JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1]))),
  text: JSON.stringify({ a: 'x'.repeat(260_000) }),
  'no JSON': 'words and '.repeat(26_000),
  brackets: '['.repeat(260_000),
  'lists in 60 levels': `{"a":[${Array(2_000).fill(`${'['.repeat(60)}1${']'.repeat(60)}`)}]}`,
}
