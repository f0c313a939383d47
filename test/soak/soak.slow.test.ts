import { expect, test } from 'vitest'
import { soak } from './soak.ts'

/** `npm run soak -- --minutes 60` is the same for an hour, with blocks of three seconds and the confirmations of BSC. */
const short = { minutes: 0.5, users: 2, blockSeconds: 1, confirmations: 3, faults: true, seed: 4_150_077_922 }

test('on a chain like BSC, deployed by one command, hires settle, refund and cancel through faults, and the books fit the chain', async () => {
  const { hires, faults, violations, withdrawn, ...found } = await soak({ ...short, say: () => undefined })
  expect(violations).toEqual([])
  expect(found).toMatchObject({ usdc_lost: 0, usdc_created: 0 })
  for (const count of Object.values(hires)) expect(count).toBeGreaterThan(0)
  expect(Object.keys(faults).length).toBeGreaterThan(0)
  // Of each settled hire the agent gets 0.4 USDC without the fee of 2.5 %.
  expect(withdrawn.agent).toBe(`${(39 * (hires.settle ?? 0)) / 100}`)
}, 600_000)
