import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validateDiscoveryExtension, validateDiscoveryExtensionSpec } from '@x402/extensions/bazaar'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { jsonObject } from '../../../src/domain/json.ts'
import { checkSchema } from '../../../src/domain/schemas/schema.ts'
import { toDiscovery } from '../../../src/domain/x402/discovery.ts'
import { createSchemas } from './schemas.ts'

// `LISTINGS=DIR npm run test:slow -- test/features/x402Selling/listings.slow.test.ts` takes the offerings of a folder instead: each file
// `offerings.jsonl` below it, one offering a line.

const described = z.object({ name: z.string(), requirement: jsonObject.default({}) })
type Given = z.infer<typeof described>

const readOfferings = (folder: string): Given[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(it => it.endsWith('offerings.jsonl'))
    .flatMap(it => readFileSync(join(folder, it), 'utf8').split('\n'))
    .filter(it => it !== '')
    .map(it => described.parse(JSON.parse(it)))

/** Other schemas are refused when an agent is registered. */
const isRegistrable = ({ requirement }: Given): boolean => {
  try {
    checkSchema(requirement)
    return true
  } catch {
    return false
  }
}

const makeOfferings = (): Given[] => {
  const schemaOf = createSchemas(300)
  return Array.from({ length: 300 }, (_, at) => ({ name: `Work ${at}`, requirement: schemaOf() }))
}

test('each of 300 offerings has a description for directories that the stock validator accepts, with an example and, but for one in a hundred, its schema', {
  timeout: 300_000,
}, () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const folder = process.env.LISTINGS
  const offerings = folder ? readOfferings(folder).filter(isRegistrable) : makeOfferings()
  const errors: string[] = []
  const generic: string[] = []
  for (const { name, requirement } of offerings) {
    const made: unknown = toDiscovery({ name, jobInput: '', requirement, deliverable: {}, examples: [], sample: undefined })
    const known = made as Parameters<typeof validateDiscoveryExtension>[0]
    const loose = made as Parameters<typeof validateDiscoveryExtensionSpec>[0]
    const found = [validateDiscoveryExtension(known), validateDiscoveryExtensionSpec(loose)].flatMap(it => it.errors ?? [])
    errors.push(...found.map(it => `${name}: ${it}`))
    const isAnyBody = Object.keys(requirement).every(it => it === 'type' || it === '$schema')
    if (!isAnyBody && JSON.stringify(made).includes('"body":{"type":"object"}')) generic.push(name)
  }
  vi.restoreAllMocks()
  const figures = { offerings: offerings.length, refused: errors.length, without_schema: generic.length }
  if (folder) process.stdout.write(`${JSON.stringify(figures)}\n`)
  expect(errors).toEqual([])
  expect(offerings.length).toBeGreaterThanOrEqual(300)
  // Schemas that directories misread, or whose example costs too much to find, are listed without.
  expect(generic.length, generic.join()).toBeLessThanOrEqual(offerings.length / 100)
})
