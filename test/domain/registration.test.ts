import { describe, expect, test } from 'vitest'
import { registrationBody, toRegistration } from '../../src/domain/offerings/registration.ts'
import { Problem } from '../../src/domain/problem.ts'

const requirement = { type: 'object', required: ['talk'], properties: { talk: { type: 'string' } } }

const snake = {
  name: 'Scribe',
  handle: 'scribe',
  description: 'Writes things down.',
  chain_id: 97,
  endpoint_url: null,
  via_gateway: true,
  job_offerings: [
    {
      id: 'notes',
      name: 'Notes',
      description: 'Turns a talk into notes.',
      type: 'JOB',
      price: 0,
      price_v2: { type: 'fixed', amount: 0.05, currency: 'USDC' },
      job_input: 'A talk',
      job_output: 'Notes',
      requirement,
      deliverable: {},
      sla_minutes: 5,
      required_funds: true,
      restricted: false,
      hide: false,
      active: true,
    },
  ],
}

const camel = {
  handle: 'scribe',
  chain_id: 97,
  endpoint_url: '',
  metadata: { via_gateway: true },
  card: {
    name: 'Scribe',
    description: 'Writes things down.',
    jobOfferings: [
      {
        id: 'notes',
        name: 'Notes',
        description: 'Turns a talk into notes.',
        type: 'JOB',
        price: 0,
        priceV2: { type: 'fixed', amount: 0.05, symbol: 'USDC' },
        jobInput: 'A talk',
        jobOutput: 'Notes',
        requirement,
        slaMinutes: 5,
        requiredFunds: true,
      },
    ],
  },
}

const register = (body: unknown) => toRegistration(registrationBody.parse(body))
const withOffering = (over: object) => ({ ...snake, job_offerings: [{ ...snake.job_offerings[0], ...over }] })

const refusal = (body: unknown) => {
  const parsed = registrationBody.safeParse(body)
  if (!parsed.success) return 'invalid-input'
  try {
    toRegistration(parsed.data)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error.type
    throw error
  }
}

test('both dialects of a registration mean the same', () => {
  expect(register(camel)).toEqual(register(snake))
  expect(register({ ...camel, card: { ...camel.card, jobOfferings: null }, jobOfferings: camel.card.jobOfferings })).toEqual(
    register(snake),
  )
})

test('omitted members have the defaults that clients rely on', () => {
  expect(register({ handle: 'scribe' })).toEqual({
    handle: 'scribe',
    name: 'scribe',
    description: '',
    chainId: 97,
    endpointUrl: undefined,
    viaGateway: true,
    offerings: [],
  })
  expect(register({ handle: 'scribe', endpoint_url: 'https://a.example' })).toMatchObject({ viaGateway: false })
  expect(register({ handle: 's', job_offerings: [{ id: 7, name: 'Notes' }] }).offerings).toEqual([
    {
      id: '7',
      name: 'Notes',
      description: '',
      price: '0',
      jobInput: '',
      jobOutput: '',
      requirement: {},
      deliverable: {},
      slaMinutes: 1,
      requiredFunds: false,
      restricted: false,
      hide: false,
      active: true,
    },
  ])
})

describe('handles', () => {
  test.each(['a', 'A1', 'city-clock', 'a.b_c-d', '0', 'a'.repeat(64)])('%s is allowed', handle =>
    expect(refusal({ handle })).toBeUndefined(),
  )
  test.each([
    ...['', ' ', 'a b', 'a##b', 'a#b', 'a:b', 'a/b', '.', '..', 'a..b', '-a', 'a-', '_a', 'a\n', 'a\u202e', 'scrіbe', 'é', '名'],
    ...['butler', 'Butler', 'butler.x', 'admin', 'SYSTEM', 'platform', 'gateway', 'erc8004', 'handle', 'register', 'groups'],
    'a'.repeat(65),
  ])('"%s" is refused', handle => expect(refusal({ handle })).toBe('invalid-handle'))
})

describe('prices', () => {
  test.each([
    [{ price: 5, price_v2: null }, '5'],
    [{ price: 5 }, '0.05'],
    [{ price_v2: { amount: '1.50' } }, '1.5'],
    [{ price_v2: { amount: 1e-7, currency: 'usdc' } }, '0.0000001'],
    [{ price_v2: { amount: 0 } }, '0'],
    [{ price_v2: { amount: 1, symbol: `0x${'ab'.repeat(20)}`, currency: 'USDC' } }, '1'],
    [{ price_v2: { amount: 999_999_999 } }, '999999999'],
  ])('%j is %s USDC', (over, price) => expect(register(withOffering(over)).offerings[0]?.price).toBe(price))

  test.each([
    { price_v2: { amount: -1 } },
    { price_v2: { amount: '1e3' } },
    { price_v2: { amount: 'free' } },
    { price_v2: { amount: 1e9 } },
    { price_v2: { amount: 1e-19 } },
    { price_v2: { amount: 1e300 } },
    { price_v2: { amount: 1, currency: 'EUR' } },
    { price_v2: { amount: 1, symbol: 'USDC', currency: 'EUR' } },
    { price_v2: { amount: 1, type: 'auction' } },
    { price: -1, price_v2: null },
  ])('%j is refused', over => expect(refusal(withOffering(over))).toBe('invalid-price'))

  test.each([{ price: Number.NaN, price_v2: null }, { price: '5' }, { price_v2: { amount: null } }, { price_v2: 5 }])(
    '%j does not fit',
    over => expect(refusal(withOffering(over))).toBe('invalid-input'),
  )
})

test.each([0, -1, 1.5, 1e9, '1', Number.NaN])('a promise of %s minutes is refused', sla_minutes =>
  expect(refusal(withOffering({ sla_minutes }))).toBe('invalid-input'),
)

test.each([
  ['two offerings of one id', { ...snake, job_offerings: [snake.job_offerings[0], snake.job_offerings[0]] }, 'invalid-input'],
  ['101 offerings', { ...snake, job_offerings: Array(101).fill(snake.job_offerings[0]) }, 'invalid-input'],
  ['a description of more than 8 KiB', withOffering({ description: 'x'.repeat(8193) }), 'invalid-input'],
  ['a chain id as text', { ...snake, chain_id: '97' }, 'invalid-input'],
  ['a chain id with a fraction', { ...snake, chain_id: 97.5 }, 'invalid-input'],
  ['a requirement that is no object schema', withOffering({ requirement: { type: 'string' } }), 'schema-unsupported'],
  ['a requirement with a reference', withOffering({ requirement: { $ref: '#' } }), 'schema-unsupported'],
  ['a deliverable with a condition', withOffering({ deliverable: { if: {} } }), 'schema-unsupported'],
  ['a body without a handle', { name: 'x' }, 'invalid-input'],
])('%s is refused', (_what, body, type) => expect(refusal(body)).toBe(type))

const nest = (levels: number) => JSON.parse(`${'{"items":'.repeat(levels)}{}${'}'.repeat(levels)}`)

test('a body that is nested ten thousand levels deep is refused, wherever the nesting is', () => {
  const deep = nest(10_000)
  for (const body of [withOffering({ requirement: deep }), { ...snake, extra: deep }, { ...snake, metadata: { deep } }, deep])
    expect(refusal(body)).toBe('invalid-input')
})
