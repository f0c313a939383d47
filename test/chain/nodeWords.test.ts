import { expect, test } from 'vitest'
import { readAnswer } from '../../src/chain/rpc/nodeWords.ts'

test.each([
  ['already known', 'known'],
  ['AlreadyKnown', 'known'],
  ['transaction already imported', 'known'],
  ['nonce too low: next nonce 5, tx nonce 3', 'nonce-too-low'],
  ['OldNonce', 'nonce-too-low'],
  ['replacement transaction underpriced', 'replacement-underpriced'],
  ['ReplacementNotAllowed', 'replacement-underpriced'],
  ['insufficient funds for gas * price + value: balance 0, tx cost 21000', 'unfunded'],
  ['Insufficient funds for gas * price + value', 'unfunded'],
  ['nonce too high', 'nonce-too-high'],
  ['max fee per gas less than block base fee', 'fee-too-low'],
  ['transaction underpriced: tip needed 1, tip permitted 0', 'fee-too-low'],
  ['FeeTooLow', 'fee-too-low'],
  ['exceeds block gas limit', 'other'],
  ['', 'other'],
])('the node message "%s" is understood as %s', (words, meaning) => {
  expect(readAnswer(words)).toBe(meaning)
})
