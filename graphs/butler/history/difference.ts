import { isObject, type Json } from '../../../src/domain/json.ts'

/** Where a run differs from its history: the step, the node, the field, and both values. */
export type Difference = { step: number; node: string; field: string; recorded: Json | undefined; now: Json | undefined }

type Pair = Pick<Difference, 'field' | 'recorded' | 'now'>

/** Finds the first place at which two values differ, in the order of their members; undefined if they are equal. */
export const firstDifference = (recorded: Json | undefined, now: Json | undefined, field = ''): Pair | undefined => {
  if (recorded === now) return undefined
  const [before, after] = [membersOf(recorded), membersOf(now)]
  if (!before || !after || Array.isArray(recorded) !== Array.isArray(now)) return { field, recorded, now }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const found = firstDifference(before[name], after[name], Array.isArray(now) ? `${field}[${name}]` : `${field}.${name}`)
    if (found) return found
  }
  return undefined
}

const membersOf = (value: Json | undefined): Record<string, Json> | undefined =>
  Array.isArray(value) ? Object.fromEntries(value.entries()) : isObject(value) ? value : undefined
