import fc from 'fast-check'
import { expect, test } from 'vitest'
import { errorsOf, hashOf, judgeByCode, maxWishes, ruleOn, toChecklist } from '../../src/domain/jobs/acceptance.ts'
import { examine } from '../../src/domain/jobs/deliverable.ts'
import type { JsonObject } from '../../src/domain/json.ts'

const poem = { type: 'object', required: ['poem'], properties: { poem: { type: 'string', minLength: 3 } } }
const findings = fc.array(
  fc.record({
    id: fc.string(),
    kind: fc.constantFrom('schema', 'check', 'model'),
    words: fc.string(),
    outcome: fc.constantFrom('pass', 'fail', 'unverifiable'),
    evidence: fc.string(),
  }),
)

test('only a fault found by code rejects a deliverable, whatever a model says and however often', () => {
  fc.assert(
    fc.property(findings, fc.constantFrom('pass', 'fail', 'unverifiable'), (its, said) => {
      const isWrong = its.some(it => it.kind !== 'model' && it.outcome === 'fail')
      const retold = its.map(it => (it.kind === 'model' ? { ...it, outcome: said } : it))
      expect(ruleOn(its) === 'reject').toBe(isWrong)
      expect(ruleOn(retold) === 'reject').toBe(isWrong)
      expect(errorsOf(its).length > 0).toBe(ruleOn(its) !== 'accept')
    }),
  )
})

test('the checklist matches the schema: exactly the values that satisfy the schema and have content pass', () => {
  const texts = fc.oneof(
    fc.json(),
    fc.string(),
    fc.record({ poem: fc.string() }).map(it => JSON.stringify(it)),
  )
  fc.assert(
    fc.property(texts, deliverable => {
      const rule = ruleOn(judgeByCode(toChecklist(poem), { schema: poem, deliverable, input: '{}' }))
      expect(rule === 'accept').toBe(examine(poem, deliverable).verdict.pass)
    }),
  )
})

test.each([
  ['{"haiku":""}', 'reject'],
  ['{"haiku":"  \\n"}', 'reject'],
  ['{"haiku":"","notes":{"author":" "}}', 'reject'],
  ['{"haiku":"An old pond","notes":{"author":""}}', 'accept'],
  ['{"haiku":"","syllables":17}', 'accept'],
])('a result whose texts are all empty has no content, also where its schema is satisfied: %s %s', (deliverable, rule) => {
  const schema = { type: 'object', required: ['haiku'], properties: { haiku: { type: 'string' } } }
  expect(ruleOn(judgeByCode(toChecklist(schema), { schema, deliverable, input: '{}' }))).toBe(rule)
})

test.each([
  ['', 'reject'],
  ['  ', 'reject'],
  ['{}', 'reject'],
  ['[]', 'reject'],
  ['null', 'reject'],
  ['{"talk":"mine"}', 'reject'],
  ['\n{ "talk": "mine" }', 'reject'],
  ['notes', 'accept'],
])('the text %j is judged: %s', (deliverable, rule) => {
  expect(ruleOn(judgeByCode(toChecklist({}), { schema: {}, deliverable, input: '{"talk":"mine"}' }))).toBe(rule)
})

test.each<[JsonObject, string, string]>([
  [{ type: 'object' }, '{}', 'reject'],
  [{ type: 'object', properties: { poem: { type: 'string' } } }, '{}', 'reject'],
  [{ type: 'object' }, '{"talk":"mine"}', 'reject'],
  [{ type: 'array' }, '[]', 'accept'],
  [{ type: 'object', properties: { poem: { type: 'string' } } }, '{"poem":"x"}', 'accept'],
])('for the schema %j neither nothing nor the input counts as a deliverable: %s', (schema, deliverable, rule) => {
  expect(ruleOn(judgeByCode(toChecklist(schema), { schema, deliverable, input: '{"talk":"mine"}' }))).toBe(rule)
})

test('a field is judged by its own rule, with a message that names the fault', () => {
  const found = judgeByCode(toChecklist(poem, ['short']), { schema: poem, deliverable: '{"poem":"a"}', input: '{}' })
  expect(found.map(it => [it.id, it.outcome])).toEqual([
    ['schema', 'fail'],
    ['has:poem', 'fail'],
    ['wish-1', 'unverifiable'],
  ])
  expect(errorsOf(found)).toEqual([expect.stringContaining('poem')])
})

test('a checklist has few wishes, and any change makes it a different checklist', () => {
  const wishes = ['a', 'b', 'c', 'd']
  expect(toChecklist({}, wishes).filter(it => it.kind === 'model')).toHaveLength(maxWishes)
  expect(hashOf(toChecklist({}, ['a']))).not.toBe(hashOf(toChecklist({}, ['b'])))
  expect(hashOf(toChecklist({}, ['a']))).toBe(hashOf(toChecklist({}, ['a'])))
})
