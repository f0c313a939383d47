import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { features } from '../../src/features/features.ts'

const rows = 79

/** The files that test each row of the list of bad inputs. The row's number is in the title of the test. */
const tested: Record<string, number[]> = {
  'http/surface.test.ts': [1, 2, 3, 4, 6, 7],
  'security/everywhere.slow.test.ts': [3, 4, 5, 8, 9, 11, 12],
  'security/limits.slow.test.ts': [10, 42, 43],
  'security/keys.test.ts': [44],
  'domain/publicAddress.test.ts': [27],
  'net/dialer.test.ts': [28],
  'http/gatewayPush.slow.test.ts': [29],
  'http/gatewayAccess.slow.test.ts': [37, 38, 39],
  'http/gatewayTasks.slow.test.ts': [53, 54],
  'identity/tokens.test.ts': [13, 14, 15, 16, 17, 18, 19],
  'security/authorization.test.ts': [20, 41],
  'identity/registration.slow.test.ts': [21, 22],
  'security/offerings.slow.test.ts': [24, 25, 26, 30, 31, 32, 34, 36, 46, 48],
  'security/schemas.slow.test.ts': [33],
  'http/records.test.ts': [35],
  'search/search.test.ts': [36],
  'security/model.slow.test.ts': [40, 56, 57, 58, 60, 61],
  'http/platform.slow.test.ts': [45, 47],
  'mcp/http.slow.test.ts': [49, 52],
  'security/mcp.test.ts': [50, 51],
  'kit/surface.test.ts': [55],
  'hire/model.slow.test.ts': [56],
  'features/x402Selling/attacks.slow.test.ts': [62, 63, 64, 65, 74, 75],
  'chain/consent.test.ts': [79],
  'contracts/launchpad.slow.test.ts': [69, 70, 71],
  'features/tokens/tokens.slow.test.ts': [72, 73],
  'features/x402Buying/purchases.slow.test.ts': [66, 67, 68, 76],
  'features/x402Buying/butler.slow.test.ts': [77, 78],
  'security/injection.slow.test.ts': [56],
  'llm/aiSdk.test.ts': [59],
}

/** Rows without a test of their number here, and the reason. */
const apart: Record<number, string> = {
  23: 'a token is checked by its ECDSA signature: no secret is compared with what came, so that no time tells of one',
}

test('every row of the list either has a test with its number or a stated reason for having none', () => {
  const numbers = [...new Set(Object.values(tested).flat()), ...Object.keys(apart).map(Number)]
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: rows }, (_, at) => at + 1))
})

/** Tests of a feature lie in its folder, and are gone where it is left out. */
const isPresent = (file: string) => !file.startsWith('features/') || features.some(it => file.startsWith(`features/${it.name}/`))

test.each(Object.entries(tested).filter(([file]) => isPresent(file)))(
  '%s has tests for the rows that are assigned to it',
  (file, numbers) => {
    const source = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
    const named = new Set([...source.matchAll(/\brow (\d+)\b/g)].map(match => Number(match[1])))
    expect(numbers.filter(it => !named.has(it))).toEqual([])
  },
)
