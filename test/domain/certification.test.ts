import { expect, test } from 'vitest'
import {
  type CertificationTest,
  isCertified,
  resultsOf,
  toCertificationCases,
  toSent,
} from '../../src/domain/certificates/certification.ts'
import { limits } from '../../src/domain/limits.ts'
import { cpuMs } from '../cpu.ts'

const city = {
  ...{ name: 'Clock', jobInput: 'for example {"city": "Oslo", "format": "24h"}', examples: [] },
  requirement: {
    type: 'object',
    required: ['city'],
    properties: { city: { type: 'string', maxLength: 40 }, format: { type: 'string', enum: ['12h', '24h'] } },
  },
}
const cases = toCertificationCases(city)
const passed = (input: string): CertificationTest => ({ input, delivery: 'once', state: 'passed', hasReason: false })
const sent = cases.map(it => ({ ...passed(toSent(it.input)), delivery: it.delivery }))

test('awkward texts satisfy the requirement, and choices stay as they are', () => {
  expect(cases.map(it => it.name)).not.toContain('a long text')
  expect(cases[1]?.input).toEqual({ city: 'x', format: '24h' })
  expect(
    toCertificationCases({
      ...city,
      jobInput: '',
      requirement: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
    }),
  ).toEqual([])
})

test('an example with thousands of texts and a costly requirement takes few steps, and cannot be certified', () => {
  const choice = { anyOf: Array.from({ length: 60 }, (_, at) => ({ minLength: at, maxLength: at })) }
  const sample = JSON.stringify(Object.fromEntries(Array.from({ length: 700 }, (_, at) => [`t${at}`, 'x'])))
  const costly = {
    ...city,
    jobInput: sample,
    requirement: { required: ['t0'], properties: { t0: {}, n: { type: 'number' } }, additionalProperties: choice },
  }
  expect(toCertificationCases(costly)).toEqual([])
  expect(cpuMs(() => toCertificationCases(costly))).toBeLessThan(1_000)
})

test('missing and wrong fields, the three forms of an input, an empty one and each fault of a delivery are cases', () => {
  const inputs = Object.fromEntries(cases.map(it => [it.name, it.input]))
  expect(inputs).toMatchObject({
    ...{
      'an empty text': '',
      'plain text': 'an old silent pond',
      'no fields': {},
      'fields of other types': { city: 7, format: 7 },
    },
    'the sentence of older clients': "Clock where topic is 'an old silent pond'",
    'a field without a value': { city: null, format: '24h' },
  })
  const faulty = cases.filter(it => it.delivery !== 'once')
  expect(faulty.map(it => it.delivery)).toEqual(['twice', 'stale', 'lost', 'restarted'])
  expect(faulty.every(it => it.must === 'pass' && it.input === cases[0]?.input)).toBe(true)
  expect(new Set(cases.slice(0, -1).map(it => `${it.delivery} ${toSent(it.input)}`)).size).toBe(cases.length - 1)
})

test('an offering with two texts has cases that a test job takes', () => {
  const properties = { from: { type: 'string' }, to: { type: 'string' } }
  const [longest] = toCertificationCases({
    ...city,
    jobInput: 'for example {"from": "Oslo", "to": "Rome"}',
    requirement: { type: 'object', required: ['from', 'to'], properties },
  }).filter(it => it.name === 'a long text')
  expect(toSent(longest?.input ?? '').length).toBeGreaterThan(29_000)
  expect(toSent(longest?.input ?? '').length).toBeLessThan(limits.messageChars)
})

test('every case must be answered, and the example again after all other texts', () => {
  expect(isCertified(resultsOf(cases, []))).toBe(false)
  expect(isCertified(resultsOf(cases, sent))).toBe(true)
  expect(isCertified(resultsOf(cases, sent.slice(0, -1)))).toBe(false)
  expect(isCertified([])).toBe(false)
})

test('a reported failure answers an awkward text, but neither an example nor silence does', () => {
  const with_ = (at: number, over: Partial<CertificationTest>) =>
    isCertified(
      resultsOf(
        cases,
        sent.map((it, index) => (index === at ? { ...it, ...over } : it)),
      ),
    )
  expect(with_(1, { state: 'failed', hasReason: true })).toBe(true)
  expect(with_(1, { state: 'failed', hasReason: false })).toBe(false)
  expect(with_(1, { state: 'expired' })).toBe(false)
  expect(with_(sent.length - 1, { state: 'failed', hasReason: true })).toBe(false)
})
