import { expect, test } from 'vitest'
import { goals, measureGas } from './gas.ts'
import { readKeptGas } from './gasReport.ts'

test('every call costs exactly the gas recorded in gas.json, and no more than its goal', async () => {
  const gas = await measureGas()
  expect(gas, 'a wanted change: npm run gas -- --write').toEqual(await readKeptGas())
  for (const [name, used] of Object.entries(gas)) expect(used, name).toBeLessThanOrEqual(goals[name] ?? 0)
})
