import { expect, test } from 'vitest'
import { createRevocations } from '../../src/identity/revocations.ts'
import type { Revocation } from '../../src/ports.ts'

test('a revocation applies as soon as it is written, also while an earlier read of the table is running', async () => {
  const rows: (Revocation & { at: number })[] = []
  const looks: (() => void)[] = []
  const store = {
    // A slow read: it returns the rows from the time when it began.
    revocationsSince: async () => {
      const seen = [...rows]
      await new Promise<void>(answer => looks.push(answer))
      return seen
    },
    revoke: async (it: Revocation) => void rows.push({ ...it, at: 1_000 }),
  }
  let now = 0
  const revocations = createRevocations({ store, clock: { now: () => now }, wakeups: { on: () => () => undefined } })
  const token = { jti: 'j', wallet: `0x${'a'.repeat(40)}` as const, iat: 0 }
  now = 10_000
  const before = revocations.isRevoked(token)
  const revoked = revocations.revoke({ jti: 'j' }, 100_000)
  for (const answer of looks.splice(0)) answer()
  await Promise.all([before, revoked])
  expect(await revocations.isRevoked(token)).toBe(true)
})
