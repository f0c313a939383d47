import { expect, test } from 'vitest'
import { limits } from '../../src/domain/limits.ts'
import type { Holder } from '../../src/store/engine/holder.ts'
import { leaveSteps } from '../../src/store/runs/history.ts'
import { countUp } from './rows.ts'

test('the histories in memory are bounded by their number and their bytes, and the newest are kept', () => {
  const left: Holder['steps'] = new Map()
  const leave = (runId: string, bytes: number) =>
    leaveSteps(left, { runId, lease: '1', kept: [{ step: 1, calls: 0, bytes, body: '' }] })
  for (const at of countUp(1_000)) leave(`small-${at}`, 1)
  expect([left.size, left.has('small-999')]).toEqual([512, true])
  for (const at of countUp(100)) leave(`large-${at}`, limits.historyBytes)
  expect([...left.keys()]).toEqual(countUp(16).map(at => `large-${84 + at}`))
})
