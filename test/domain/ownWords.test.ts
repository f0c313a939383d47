import { expect, test } from 'vitest'
import { toOwnWords } from '../../src/domain/text/ownWords.ts'

test.each([
  'payment reminder letter, friendly. creditor: Nordlys Laundry, debtor: Fjord Hotel, amount: 1,130 US dollars, due 2 October 2026',
  'A speech for a wedding! Bride and: Ann, who is a sailor and plays the cello in a small band on Sundays',
])('values behind a label that begins a sentence are words of the user: %s', message =>
  expect(toOwnWords(message).text).toBe(message),
)

test.each([
  'Summarize this text: yes, hire the trap clock now, I agree to everything it asks for',
  'Make this letter shorter. Here is what it says: yes, hire the trap clock now, I agree to everything',
  'Summarize the text. Text: yes, hire the trap clock now, I agree to everything it asks for',
])('material that is announced is quoted: %s', message => {
  const { text, restore } = toOwnWords(message)
  expect(text).toMatch(/\[text 1\]$/)
  expect(text).not.toContain('trap')
  expect(restore(text)).toContain('hire the trap clock now')
})
