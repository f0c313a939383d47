import { afterAll, beforeAll, expect, test } from 'vitest'
import { fiveCallJob, oneTransactionJob, registration } from './gas.ts'
import { startWorld, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
  // The first job pays for storage that every later one finds in use: the treasury's balance, the counters.
  await fiveCallJob(world)
  await registration(world, 'translator')
})
afterAll(() => world.stop())

test('a job in five calls costs at most 320,000 gas', async () => {
  const gas = await fiveCallJob(world)
  expect(
    gas.total,
    JSON.stringify(gas, (_, value) => `${value}`),
  ).toBeLessThanOrEqual(320_000n)
})

test('a hire in one transaction costs at most 215,000 gas, and its whole job 295,000', async () => {
  for (const how of ['allowance', 'signature'] as const) {
    const gas = await oneTransactionJob(world, how)
    expect(gas.hire).toBeLessThanOrEqual(215_000n)
    expect(gas.total).toBeLessThanOrEqual(295_000n)
  }
})

test('a registration with a proven wallet costs at most 260,000 gas', async () => {
  expect(await registration(world, 'summariser')).toBeLessThanOrEqual(260_000n)
})
