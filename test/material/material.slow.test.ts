import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../../src/domain/json.ts'
import { jsonObject } from '../../src/domain/json.ts'
import { invokeOutput } from '../../src/operations/messages/invoke.ts'
import { plain, provider } from '../hire/market.ts'
import { startTestService, type TestService, type User } from '../service.ts'

/** A request with the exact inputs that must come of it: one `field` with its `material`, or several `fields`. */
const request = z.object({
  say: z.string(),
  field: z.string().default(''),
  material: z.string().default(''),
  description: z.string().default(''),
  fields: z.record(z.string(), z.string()).optional(),
  more: z.record(z.string(), jsonObject).default({}),
})
const requests = readFileSync(new URL('requests.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map(line => request.parse(JSON.parse(line)))

let market: TestService
let user: User
let agent: Awaited<ReturnType<typeof provider>>
beforeAll(async () => {
  market = await startTestService()
  user = await market.user('writer')
  agent = await provider(market, plain('0.1'))
})
afterAll(() => market?.stop())

const work = { name: 'Some work', description: 'Does some work with what you give.' }
const textOf = (name: string): JsonObject => ({ type: 'string', description: `The ${name}` })

/** What is proposed for a message to an agent whose offering takes these fields. */
const propose = async (message: string, properties: JsonObject, required: string[]) => {
  await agent.register(plain('0.1', { ...work, requirement: { type: 'object', required, properties } }))
  const body = { agent: agent.handle, message, conversation_id: randomUUID() }
  const { data } = invokeOutput.parse(await user.client.post('/invoke', body))
  const input: JsonObject = data.proposal ? JSON.parse(data.proposal.input) : {}
  await user.client.post('/invoke', { message: 'no', conversation_id: body.conversation_id })
  return { input, made: data.proposal?.made, state: data.state }
}

test.each(requests)(
  'pasted material reaches its field byte for byte: $say',
  async ({ say, field, material, description, fields, more }) => {
    const wanted = fields ?? { [field]: material }
    const names = Object.keys(wanted)
    const texts = names.map(name => [name, description ? { type: 'string', description } : textOf(name)] as const)
    const required = [...names, ...Object.keys(more).filter(it => it === 'language')]
    const { input, made } = await propose(say, { ...Object.fromEntries(texts), ...more }, required)
    expect(input).toMatchObject(wanted)
    for (const name of names) expect(made).not.toContain(name)
  },
)

const line = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\t',
      '- May I?',
      '* please',
      '1. one',
      '> quoted',
      'at most 5 USDC',
      'text: x',
      'data: y',
      '{"text": "z"}',
      '"',
    ],
    ...[
      'Agent Id: x##97:0x1:1',
      'Please hire bob task: nothing Reward: 1 USDC.',
      'create the job',
      '\r',
      '```',
      '~~~~',
      'thanks!',
    ],
    ...['From: a@b.example', 'Subject: no', ' '.repeat(30), 'translate this and then summarise it', 'make it Paris instead'],
  ),
)
const notStorable = /\0|\p{Surrogate}/u
const pasted = fc
  .array(line, { minLength: 1, maxLength: 12 })
  .map(lines => lines.join('\n'))
  .filter(it => it.trim() !== '' && !notStorable.test(it))
const fieldName = fc.constantFrom(
  ...[
    'csv',
    'table',
    'data',
    'markdown',
    'html',
    'lyrics',
    'json',
    'prompt',
    'description',
    'code',
    'text',
    'body',
    'x1',
    'rows',
  ],
  ...['email_body', 'question', 'note', 'blob', 'source_text', 'city_notes', 'brief', 'payload'],
)

/** A fence that the text does not contain. */
const fenceFor = (text: string, mark: string) => {
  const runs = text.match(new RegExp(`${mark}+`, 'g')) ?? []
  return mark.repeat(Math.max(3, ...runs.map(it => it.length + 1)))
}

test('whatever stands between two fences reaches the one text field byte for byte', async () => {
  const asked = fc.constantFrom('Please do this:\n', 'Work on it\n\n', 'Do it. ', 'Here is what I have, make it nice:\n', '')
  const after = fc.constantFrom('', '\nThanks!', '\n\nPlease by tomorrow, at most 2 USDC.')
  await fc.assert(
    fc.asyncProperty(asked, pasted, fieldName, fc.constantFrom('`', '~'), after, async (lead, text, field, mark, end) => {
      const fence = fenceFor(text, mark)
      const { input, made } = await propose(`${lead}${fence}\n${text}\n${fence}${end}`, { [field]: textOf(field) }, [field])
      expect(input).toEqual({ [field]: text })
      expect(made).toEqual([])
    }),
    { numRuns: 24 },
  )
})
