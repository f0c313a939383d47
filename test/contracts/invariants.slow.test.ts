import { expect, test } from 'vitest'
import { checkInvariants, findForge } from './invariants.ts'

test('after any calls by any account, the money of each job is in the escrow or was paid out once', async context => {
  const forge = findForge()
  if (!forge) return context.skip('not run: npm has no forge for this system')
  const { holds, words } = await checkInvariants(forge, { runs: 32, seconds: 110 })
  expect(holds, words).toBe(true)
  expect(words).toContain('runs: 32, calls: 2048')
}, 120_000)
