import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { routes } from '../assembled.ts'
import { command, print } from '../command.ts'
import { compareSurfaces, readSurface, type Surface } from './surface.ts'

const file = new URL('pins.json', import.meta.url)

/** The surface that was released last. */
export const readPins = (): Surface => z.record(z.string(), z.array(z.string())).parse(JSON.parse(readFileSync(file, 'utf8')))

/** Pins the present surface, after an intended change. The order of the file is kept, so that its diff shows what changed. */
export const writePins = (): void => {
  const now = readSurface()
  const doors = new Set([...Object.keys(readPins()), ...Object.keys(now)])
  const pins = Object.fromEntries([...doors].flatMap(it => (now[it] ? [[it, now[it]]] : [])))
  writeFileSync(file, `${JSON.stringify(pins, undefined, 2)}\n`)
}

type Place = { shape: Record<string, z.ZodType>; name: string }

/** Every member of the objects in a schema, wherever it stands. A schema that is used twice counts once. */
const placesOf = (schema: z.ZodType, seen: Set<z.ZodType>): Place[] => {
  if (seen.has(schema)) return []
  seen.add(schema)
  if (schema instanceof z.ZodObject)
    return Object.entries<z.ZodType>(schema.shape).flatMap(([name, of]) => [{ shape: schema.shape, name }, ...placesOf(of, seen)])
  return innerOf(schema).flatMap(it => placesOf(it, seen))
}

const isType = (it: unknown): it is z.ZodType => it instanceof z.ZodType

const innerOf = (schema: z.ZodType): z.ZodType[] => {
  const { element, innerType, options, in: from, out, left, right, valueType } = schema.def as unknown as Record<string, unknown>
  return [element, innerType, from, out, left, right, valueType, ...(Array.isArray(options) ? options : [])].filter(isType)
}

/**
 * Removes, and then renames, each member of each output in turn, and reads the surface anew.
 * @returns how many changes were made, and those that the comparison did not name
 */
export const proveOutputs = (): { changes: number; unnoticed: string[] } => {
  const unnoticed: string[] = []
  let changes = 0
  const pinned = readPins()
  const check = (what: string, name: string) => {
    changes += 1
    const named = compareSurfaces(pinned, readSurface()).some(it => it.includes(' no longer has ') && it.includes(name))
    if (!named) unnoticed.push(what)
  }
  const seen = new Set<z.ZodType>()
  for (const { operation } of routes)
    for (const { shape, name } of placesOf(operation.output, seen)) {
      const kept = shape[name]
      if (!kept) continue
      delete shape[name]
      check(`${operation.name}: ${name} removed`, name)
      shape[`${name}_renamed`] = kept
      check(`${operation.name}: ${name} renamed`, name)
      delete shape[`${name}_renamed`]
      shape[name] = kept
    }
  return { changes, unnoticed }
}

if (import.meta.main) {
  const { prove } = command('pins', 'Pins the present surface, after an intended change.')
    .option('--prove', 'instead, show that each removed or renamed output member is noticed', false)
    .parse()
    .opts<{ prove: boolean }>()
  if (prove) {
    const { changes, unnoticed } = proveOutputs()
    for (const it of unnoticed) print(`not noticed: ${it}`)
    print(JSON.stringify({ changes, noticed: changes - unnoticed.length }))
    process.exitCode = unnoticed.length > 0 ? 1 : 0
  } else {
    const differences = compareSurfaces(readPins(), readSurface())
    for (const it of differences) print(it)
    writePins()
    print(`${differences.length} changes pinned`)
  }
}
