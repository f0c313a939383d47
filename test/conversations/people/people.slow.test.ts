import { expect, test } from 'vitest'
import { readUnmetTurns } from './data.ts'
import { holdAll } from './hold.ts'
import { startService } from './service.ts'
import { summarise } from './summary.ts'

test('no turn that was once answered as expected is answered otherwise, and no answer lies, hires unasked, fails or shows raw data', async () => {
  const { call, stop } = await startService()
  const turns = await holdAll(call).finally(stop)
  expect(turns.length).toBeGreaterThan(500)
  const unmet = await readUnmetTurns()
  expect(turns.filter(it => it.faults.length > 0 && !unmet.has(it.name)).map(it => ({ [it.name]: it.faults }))).toEqual([])
  expect(summarise(turns)).toMatchObject({ lie: 0, unasked: 0, crash: 0, raw: 0 })
}, 300_000)
