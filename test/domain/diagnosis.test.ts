import { expect, test } from 'vitest'
import { checkPlace } from '../../src/domain/offerings/diagnosis.ts'

test('an offering not found by its own words is an error, a low rank is a warning, a high rank is neither', () => {
  expect([undefined, 9, 1].map(place => checkPlace('letters', 'count letters', place).level)).toEqual(['wrong', 'warning', 'ok'])
})
