import { expect, test } from 'vitest'
import { type CertificationTest, isCertified, resultsOf, toCertificationCases, toSent } from '../../src/domain/certification.ts'

const city = {
  ...{ name: 'Clock', jobInput: 'for example {"city": "Oslo", "format": "24h"}', examples: [] },
  requirement: {
    type: 'object',
    required: ['city'],
    properties: { city: { type: 'string', maxLength: 40 }, format: { type: 'string', enum: ['12h', '24h'] } },
  },
}
const cases = toCertificationCases(city)
const passed = (input: string): CertificationTest => ({ input, state: 'passed', hasReason: false })
const sent = cases.map(it => passed(toSent(it.input)))

test('only inputs that satisfy the requirement are cases, and choices stay as they are', () => {
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
