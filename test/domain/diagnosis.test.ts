import { expect, test } from 'vitest'
import { checkPlace } from '../../src/domain/diagnosis.ts'

test('an offering that is not found by its own words is wrong, a late place is a warning, an early one is neither', () => {
  expect([undefined, 9, 1].map(place => checkPlace('letters', 'count letters', place).level)).toEqual(['wrong', 'warning', 'ok'])
})
