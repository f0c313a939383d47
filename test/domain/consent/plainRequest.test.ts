import { expect, test } from 'vitest'
import { isPlainRequest, whyAsk } from '../../../src/domain/consent/plainRequest.ts'
import { readOrders } from '../../conversations/orders/read.ts'
import { cpuMs } from '../../cpu.ts'

const named = { handle: 'poet', id: 'poet', price: '0.5' }
const [plain, others] = await Promise.all([readOrders('plain', named), readOrders('not-plain', named)])

test('no negation, condition, later time, question of price or possibility, report or quotation is a plain request', () => {
  expect(others.length).toBeGreaterThanOrEqual(60)
  expect(others.map(it => it.say).filter(isPlainRequest)).toEqual([])
})

test('a request that only says what is wanted is plain', () => {
  expect(plain.map(it => it.say).filter(it => !isPlainRequest(it))).toEqual([])
})

test('a value that was not said, and words that the agent does not get, need a yes', () => {
  const read = { messages: ['Write a haiku about frogs'], isEnglish: true }
  expect(whyAsk({ ...read, made: [], leftOut: [] })).toBeUndefined()
  expect(whyAsk({ ...read, made: ['city'], leftOut: [] })).toContain('not in your own words')
  expect(whyAsk({ ...read, made: [], leftOut: ['in blue'] })).toContain('left out')
})

test('any message is read at once', () => {
  for (const part of ['no ', "'", ': a ', 'if ', '"', '> ', 'hire ']) {
    expect(cpuMs(() => isPlainRequest(part.repeat(30_000 / part.length)))).toBeLessThan(1_000)
    expect(cpuMs(() => isPlainRequest(part.repeat(490 / part.length)))).toBeLessThan(1_000)
  }
})
