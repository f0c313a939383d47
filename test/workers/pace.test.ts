import { expect, test, vi } from 'vitest'
import type { Worker } from '../../src/workers/loop.ts'
import { createPace } from '../../src/workers/pace.ts'

test.each([
  ['a chain that announces its blocks', 0, 1_000],
  ['a chain with blocks every 3 s', 3_000, 1_500],
])('%s is asked every 3 s while nothing is under way there, and often otherwise', async (_chain, blockTimeMs, oftenMs) => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const { paced, stayAwake } = createPace({ blockTimeMs })
  const worker: Worker = paced({ name: 'watch', channel: 'blocks', idleMs: 250, runOnce: async () => false })
  expect(worker.idleMs).toBe(oftenMs)
  now.mockReturnValue(11_000)
  expect(worker.idleMs).toBe(3_000)
  stayAwake()
  expect(worker.idleMs).toBe(oftenMs)
  now.mockRestore()
})
