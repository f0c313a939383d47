import { expect, test } from 'vitest'
import { createErrorLog } from '../../src/process/errorLog.ts'

test('an error that workers and requests repeat is logged once in half a minute, with how often and where it came', () => {
  let now = 0
  const lines: unknown[] = []
  const logError = createErrorLog({ error: (of: object) => void lines.push(of) }, { now: () => now })
  for (; now < 31_000; now += 100)
    for (const where of ['watchChain 97', 'sendTransactions 97', 'request']) logError(where, new Error('no database'), 'failed')
  logError('watchChain 97', new Error('another'), 'failed')
  expect(lines).toMatchObject([
    { where: 'watchChain 97', error: { message: 'no database' } },
    {
      where: 'watchChain 97',
      repeated: { 'watchChain 97': 299, 'sendTransactions 97': 300, request: 300 },
      error: { message: 'no database' },
    },
    { where: 'watchChain 97', error: { message: 'another' } },
  ])
})
