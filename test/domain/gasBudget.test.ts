import { expect, test } from 'vitest'
import { fitsGasBudget, toGas } from '../../src/domain/gasBudget.ts'
import { limits } from '../../src/domain/limits.ts'

test('hires and registrations of a day share one budget of gas, and the action that would exceed it is refused', () => {
  const hire = toGas({ registrations: 0, hires: 1 })
  const most = Math.floor(limits.gasOfWalletADay / hire)
  expect(most).toBeGreaterThan(100)
  expect(fitsGasBudget({ registrations: 0, hires: most - 1 }, 'hire')).toBe(true)
  expect(fitsGasBudget({ registrations: 0, hires: most }, 'hire')).toBe(false)
  expect(fitsGasBudget({ registrations: 20, hires: most - 1 }, 'hire')).toBe(false)
})
