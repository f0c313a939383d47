import { expect, test } from 'vitest'
import { createUnledChains } from '../../src/operations/unledChains.ts'

test('a chain is without a leader when nobody was seen to lead it for longer than an election takes', async () => {
  let now = 0
  let leaders = [{ key: 97, process: 'market 1' }]
  const unled = createUnledChains({ leaders: async () => leaders, clock: { now: () => now } })
  expect(await unled([97, 84532])).toEqual([])
  now = 14_000
  expect(await unled([97, 84532])).toEqual([])
  now = 16_000
  expect(await unled([97, 84532])).toEqual([84532])
  leaders = [{ key: 84532, process: 'market 2' }]
  expect(await unled([97, 84532])).toEqual([])
  now = 40_000
  expect(await unled([97, 84532])).toEqual([97])
})
