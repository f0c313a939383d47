import { isObject, type Json, type JsonObject } from '../json.ts'
import type { Conversion, Reference } from './planStates.ts'

// A deliverable is text of a stranger. What a reference takes from it is data: a value of an input, which is checked again.

/** The steps of a JSON Pointer (RFC 6901). */
const stepsOf = (path: string): string[] =>
  path === ''
    ? []
    : path
        .slice(1)
        .split('/')
        .map(it => it.replaceAll('~1', '/').replaceAll('~0', '~'))

export const toPointer = (names: readonly string[]): string =>
  names.map(it => `/${it.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** The value at a pointer; undefined where there is none. An empty pointer is the whole text. */
export const valueAt = (deliverable: string, path: string): Json | undefined => {
  if (path === '') return deliverable
  try {
    let at: Json = JSON.parse(deliverable)
    for (const step of stepsOf(path)) {
      const found = childOf(at, step)
      if (found === undefined) return undefined
      at = found
    }
    return at
  } catch {
    return undefined
  }
}

const childOf = (at: Json, step: string): Json | undefined => {
  if (Array.isArray(at)) return /^(?:0|[1-9]\d*)$/.test(step) ? at[Number(step)] : undefined
  return isObject(at) && Object.hasOwn(at, step) ? ((at as JsonObject)[step] ?? undefined) : undefined
}

/** A value after a conversion that loses nothing; undefined where it does not apply. */
export const convert = (value: Json, as: Conversion | undefined): Json | undefined => {
  if (as === undefined) return value
  if (as === 'list') return [value]
  if (as === 'joined') return Array.isArray(value) && value.every(isScalar) ? value.map(String).join('\n') : undefined
  return isScalar(value) ? String(value) : undefined
}

const isScalar = (it: Json): boolean => ['string', 'number', 'boolean'].includes(typeof it)

/** What a reference takes of the accepted deliverables; undefined where it finds nothing. */
export const resolve = ({ from, path, as, before }: Reference, deliverables: ReadonlyMap<number, string>): Json | undefined => {
  const deliverable = deliverables.get(from)
  const found = deliverable === undefined ? undefined : valueAt(deliverable, path)
  const value = found === undefined ? undefined : convert(found, as)
  return before !== undefined && typeof value === 'string' ? `${before}\n\n${value}` : value
}
