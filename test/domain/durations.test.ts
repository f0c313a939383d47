import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const spans = /\b(?:60_?000|3_?600_?000|86_?400_?000)\b|\bconst (?:second|minute|hour|day)s?Ms\b/

test('the milliseconds of a minute, an hour and a day are defined in one file', () => {
  const sources = globSync('{src,graphs,prompts}/**/*.{ts,tsx}', { cwd: root }).filter(
    it => !/\/(?:artifacts\/|dictionary\.ts)/.test(it),
  )
  // Literals that end with n are amounts of gas, not durations.
  const found = sources.filter(it => spans.test(readFileSync(join(root, it), 'utf8').replaceAll(/\b[\d_]+n\b/g, '')))
  expect(found.sort()).toEqual(['src/domain/durations.ts'])
})
