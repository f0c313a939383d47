import { expect, test } from 'vitest'
import { createErrorLog } from '../../src/process/errorLog.ts'

test('an error that a worker repeats is logged once in half a minute, with the number of times that it came', () => {
  let now = 0
  const lines: unknown[] = []
  const logError = createErrorLog({ error: (of: object) => void lines.push(of) }, { now: () => now })
  for (; now < 31_000; now += 100) logError('watchChain 97', new Error('no database'))
  logError('watchChain 97', new Error('another'))
  logError('sendTransactions 97', new Error('no database'))
  expect(lines).toMatchObject([
    { worker: 'watchChain 97', error: { message: 'no database' } },
    { worker: 'watchChain 97', repeated: 299, error: { message: 'no database' } },
    { worker: 'watchChain 97', error: { message: 'another' } },
    { worker: 'sendTransactions 97', error: { message: 'no database' } },
  ])
})
