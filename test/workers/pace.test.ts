import { expect, test, vi } from 'vitest'
import type { Worker } from '../../src/workers/loop.ts'
import { createPace } from '../../src/workers/pace.ts'

const sender = `0x${'5'.repeat(40)}` as const

test.each([
  ['a chain that announces its blocks', 0, 250],
  ['a chain with blocks every 3 s', 3_000, 1_500],
])('%s is asked every 3 s while nothing is under way there, and often otherwise', async (_chain, blockTimeMs, oftenMs) => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const senders: (typeof sender)[] = []
  const pace = createPace({ store: { activeSenders: async () => senders }, chainId: 97, blockTimeMs })
  const worker: Worker = pace({ name: 'watch', channel: 'blocks', idleMs: 250, runOnce: async () => false })
  expect(worker.idleMs).toBe(oftenMs)
  now.mockReturnValue(11_000)
  await worker.runOnce()
  expect(worker.idleMs).toBe(3_000)
  senders.push(sender)
  await worker.runOnce()
  expect(worker.idleMs).toBe(oftenMs)
  now.mockRestore()
})
