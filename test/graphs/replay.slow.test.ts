import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyCode, type Plant } from './plantedCode.ts'

const [settled, refunded] = ['settled', 'refunded'].map(it => join(import.meta.dirname, `histories/${it}.json`))

let code: Awaited<ReturnType<typeof copyCode>>
beforeAll(async () => {
  code = await copyCode()
})
afterAll(() => code.remove())

type Case = Plant & { what: string; history: string | undefined; told: string[] }
const plants: Case[] = [
  {
    what: 'a node that counts otherwise',
    ...{ file: 'graphs/butler/nodes/propose.ts', history: settled, was: 'round: round + 1', is: 'round: round + 2' },
    told: ['node propose, field update.round', 'recorded: 1', 'now:      2'],
  },
  {
    what: 'a refund that is left out',
    ...{ file: 'graphs/butler/nodes/refund.ts', history: refunded },
    ...{ was: 'if (jobId && verdict) await', is: 'if (!jobId && verdict) await' },
    told: ['node refund, field rejectDeliverable', 'recorded: ["job_', 'now:      nothing'],
  },
  {
    what: 'a hire without a question to the user',
    ...{ file: 'graphs/butler/graph.ts', history: settled },
    ...{ was: "questions.length > 0 ? 'ask' : 'propose'", is: "questions.length > 9 ? 'ask' : 'propose'" },
    told: ['node propose, field node', 'recorded: "ask"', 'now:      "propose"'],
  },
  {
    what: 'a payment in place of a revision',
    ...{ file: 'graphs/butler/graph.ts', history: settled },
    ...{ was: "state.verdict.doubted ? 'settle' : 'revise'", is: "state.verdict.doubted ? 'settle' : 'settle'" },
    told: ['node settle, field node', 'recorded: "revise"', 'now:      "settle"'],
  },
  {
    what: 'another question to the search',
    ...{ file: 'graphs/butler/nodes/search.ts', history: settled, was: 'text: said || task', is: "text: (said || task) + '!'" },
    told: ['node search, field findListings[0].text', 'recorded: "', 'now:      "'],
  },
  {
    what: 'an error',
    ...{
      file: 'graphs/butler/nodes/settle.ts',
      history: settled,
      was: 'if (jobId) await',
      is: 'if (jobId) throw new Error("gone")\n    await',
    },
    told: ['node settle, field error', 'recorded: nothing', 'Error: gone'],
  },
]

test.each(plants)(
  'a replay names a changed decision as the first difference: $what',
  async ({ history = '', told, ...plant }) => {
    const { code: exit, out } = await code.replayWith(plant, history)
    expect(out).toMatch(/^First difference: step \d+, /)
    for (const it of told) expect(out).toContain(it)
    expect(exit).toBe(1)
  },
)

test('a file that is no history is refused with its name', async () => {
  const other = join(import.meta.dirname, '../../package.json')
  expect(await code.replay(other)).toEqual({ code: 2, out: expect.stringContaining(`${other} is not a history`) })
  expect(await code.replay(join(import.meta.dirname, 'none.json'))).toMatchObject({ code: 2 })
})
