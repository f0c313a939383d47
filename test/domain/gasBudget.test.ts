import { expect, test } from 'vitest'
import { limits } from '../../src/domain/limits.ts'
import { fitsGasBudget, toGas } from '../../src/domain/money/gasBudget.ts'

const none = { registrations: 0, hires: 0, withdrawals: 0, calls: 0, launches: 0, trades: 0, approvals: 0 }

test('hires, registrations, withdrawals, paid calls, purchases and token trades share one daily gas budget, and an action beyond it is refused', () => {
  const hire = toGas({ ...none, hires: 1 })
  const most = Math.floor(limits.gasOfWalletADay / hire)
  expect(most).toBeGreaterThan(100)
  expect(fitsGasBudget({ ...none, hires: most - 1 }, 'hire')).toBe(true)
  expect(fitsGasBudget({ ...none, hires: most }, 'hire')).toBe(false)
  expect(fitsGasBudget({ ...none, registrations: 20, hires: most - 1 }, 'hire')).toBe(false)
  expect(fitsGasBudget({ ...none, withdrawals: 20, hires: most - 1 }, 'hire')).toBe(false)
  expect(fitsGasBudget({ ...none, launches: 20, hires: most - 1 }, 'hire')).toBe(false)
  expect(fitsGasBudget({ ...none, trades: 20, hires: most - 1 }, 'hire')).toBe(false)
  expect(fitsGasBudget({ ...none, calls: 20, hires: most - 1 }, 'hire')).toBe(false)
  expect(fitsGasBudget({ ...none, approvals: 20, hires: most - 1 }, 'hire')).toBe(false)
  expect(fitsGasBudget({ ...none, hires: most, registrations: 1 }, 'withdrawal')).toBe(false)
})

test('an action that uses up the budget to its last unit is allowed', () => {
  const all = limits.gasOfWalletADay / toGas({ ...none, registrations: 1 })
  expect(Number.isInteger(all)).toBe(true)
  expect(fitsGasBudget({ ...none, registrations: all - 1 }, 'registration')).toBe(true)
  expect(fitsGasBudget({ ...none, registrations: all }, 'registration')).toBe(false)
})
