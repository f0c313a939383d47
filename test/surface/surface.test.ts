import { expect, test } from 'vitest'
import { readPins } from './pins.ts'
import { compareSurfaces, readSurface } from './surface.ts'

test('no route, member, tool, event kind, command or A2A method changes unnoticed; `npm run docs` pins an intended change', () => {
  expect(compareSurfaces(readPins(), readSurface())).toEqual([])
})

test('a member that is gone, new or of another type is named with its door', () => {
  const before = { 'output of readRun': ['job.amount: string', 'task: string'] }
  const after = { 'output of readRun': ['job.amount: number'] }
  expect(compareSurfaces(before, after)).toEqual([
    'output of readRun no longer has job.amount: string',
    'output of readRun no longer has task: string',
    'output of readRun has the new job.amount: number',
  ])
})
