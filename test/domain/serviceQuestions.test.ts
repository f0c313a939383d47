import { expect, test } from 'vitest'
import { toServiceAnswer } from '../../src/domain/runTexts/serviceQuestions.ts'

test.each<[string, RegExp | undefined]>([
  ['who gets the money?', /escrow/],
  ['so who keeps my money', /escrow/],
  ['why should I trust you?', /your yes/],
  ['can I trust this site', /your yes/],
  ['delete all my data', /cannot delete/],
  ['this is a scam', /sorry/],
  ['why should I trust RugRadar?', undefined],
  ['who gets the prize money of the open?', undefined],
])('a question to the service has a fixed answer, and other ones have none: %s', (text, words) => {
  const told = toServiceAnswer(text)
  if (words) expect(told).toMatch(words)
  else expect(told).toBeUndefined()
})
