import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { jsonObject } from '../../src/domain/json.ts'
import { fillSaid } from '../../src/language/filling/fillSaid.ts'

// Requests and answers for trades of no other test. A line of the file has the messages, the offering and what they say.

const trade = z.object({
  ...{ group: z.string(), said: z.array(z.string()), listing: z.string() },
  ...{ requirement: jsonObject, values: jsonObject, absent: z.array(z.string()).default([]) },
})
const trades = readFileSync(new URL('trades.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => trade.parse(JSON.parse(line)))

/** Friday, 27 November 2026, 9:00 UTC. */
const now = Date.UTC(2026, 10, 27, 9)

describe.each([...Map.groupBy(trades, it => it.group)])('a value is read by its form: %s', (_, all) => {
  test.each(all)('$said', ({ said, listing, requirement, values, absent }) => {
    const read = fillSaid({ said, listing, requirement, now })
    expect(read).toMatchObject(values)
    expect(absent.filter(name => name in read)).toEqual([])
  })
})
