import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  explorationPlaces,
  halfLifeDays,
  type Judgements,
  mixIn,
  rate,
  reputationVersion,
  toReputationText,
  wilsonBound,
} from '../../src/domain/agents/reputation.ts'

const today = 20_000
const now = today * 86_400_000
const row = (over: Partial<Judgements> = {}): Judgements => ({
  payer: 'p',
  day: today,
  judged: 1,
  accepted: 1,
  punctual: 1,
  ...over,
})

/** Counts as the store produces them: accepted and punctual jobs never exceed judged ones, and accepted jobs are punctual. */
const rows = fc.array(
  fc
    .record({
      payer: fc.constantFrom('a', 'b', 'c', 'd'),
      age: fc.nat(400),
      good: fc.nat(9),
      late: fc.nat(3),
      bad: fc.nat(9),
    })
    .map(({ payer, age, good, late, bad }) => ({
      payer,
      day: today - age,
      judged: good + late + bad,
      accepted: good,
      punctual: good + late,
    })),
  { maxLength: 12 },
)
const scoreOf = (judgements: Judgements[], at = now) =>
  rate({ judgements, medianTurnaroundMs: undefined, lastSeenAt: undefined }, at).explanation.weighted_bound

describe('the formula of a reputation', () => {
  test('another accepted job never lowers the score, another failed one never raises it', () => {
    fc.assert(
      fc.property(rows, fc.constantFrom('a', 'b', 'new'), fc.nat(400), (its, payer, age) => {
        const before = rate({ judgements: its, medianTurnaroundMs: 1, lastSeenAt: now }, now).reputation.score
        const plus = (over: Partial<Judgements>) =>
          rate({ judgements: [...its, row({ payer, day: today - age, ...over })], medianTurnaroundMs: 1, lastSeenAt: now }, now)
            .reputation.score
        expect(plus({})).toBeGreaterThanOrEqual(before)
        expect(plus({ accepted: 0, punctual: 0 })).toBeLessThanOrEqual(before)
      }),
    )
  })

  test('all figures stay between 0 and 1, and the score never exceeds the bound', () => {
    fc.assert(
      fc.property(rows, its => {
        const { reputation, explanation } = rate({ judgements: its, medianTurnaroundMs: 1, lastSeenAt: now }, now)
        for (const it of [reputation.score, reputation.success_bound, explanation.punctuality, explanation.availability]) {
          expect(it).toBeGreaterThanOrEqual(0)
          expect(it).toBeLessThanOrEqual(1)
        }
        expect(reputation.score).toBeLessThanOrEqual(explanation.weighted_bound)
        expect(reputation.version).toBe(reputationVersion)
      }),
    )
  })

  test('the same number of jobs weighs more from more payers: a thousand of one payer weigh less than eleven of eleven', () => {
    const ofOne = scoreOf([row({ judged: 1000, accepted: 1000, punctual: 1000 })])
    expect(ofOne).toBeLessThan(scoreOf(Array.from({ length: 11 }, (_, at) => row({ payer: `p${at}` }))))
  })

  test('a judgement loses half its weight after ninety days', () => {
    const old = rate(
      { judgements: [row({ day: today - halfLifeDays })], medianTurnaroundMs: undefined, lastSeenAt: undefined },
      now,
    )
    expect(old.explanation.payers).toEqual([{ judged: 1, accepted: 1, faded_judged: 0.5, counts_as: expect.closeTo(0.585, 3) }])
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 400 }), (its, days) => {
        const all = its.map(it => ({ ...it, accepted: it.judged }))
        expect(scoreOf(all, now + days * 86_400_000)).toBeLessThanOrEqual(scoreOf(all))
      }),
    )
  })

  test('a score is the bound, seven tenths of it for itself, two for punctuality and one for being online', () => {
    // Three of three accepted by one payer count as two of two, whose bound is 0.3424.
    const three = (over: Partial<Judgements>, lastSeenAt: number | undefined) =>
      rate(
        { judgements: [row({ judged: 3, accepted: 3, punctual: 3, ...over })], medianTurnaroundMs: undefined, lastSeenAt },
        now,
      ).reputation
    expect(three({}, now).score).toBe(0.3424)
    expect(three({}, now).last_seen).toBe(new Date(now).toISOString())
    expect(three({}, now + 60_000).score).toBe(0.3424)
    expect(three({}, now - 86_400_000).score).toBe(0.3253)
    expect(three({}, undefined)).toMatchObject({ score: 0.3081, last_seen: '' })
    expect(three({ punctual: 0 }, now).score).toBe(0.2739)
  })

  test('the bound is the lower end of the Wilson interval', () => {
    expect(wilsonBound(48, 50)).toBeCloseTo(0.8654, 3) // the textbook value
    expect(wilsonBound(0, 50)).toBe(0)
    expect(wilsonBound(0, 0)).toBe(0)
  })

  test('an agent that was never judged has no score, however active it is', () => {
    const { reputation } = rate({ judgements: [], medianTurnaroundMs: undefined, lastSeenAt: now }, now)
    expect(reputation).toMatchObject({ judged: 0, score: 0, success_bound: 0 })
    expect(reputation).not.toHaveProperty('median_turnaround_s')
    expect(toReputationText(reputation)).toBe('no judged jobs yet')
  })

  test('the text says how many jobs, how certain, from how many payers, and since when', () => {
    const judgements = Array.from({ length: 12 }, (_, at) =>
      row({ payer: `p${at}`, judged: at === 0 ? 6 : 4, accepted: at === 0 ? 4 : 4 }),
    )
    const { reputation } = rate({ judgements, medianTurnaroundMs: 240_000, lastSeenAt: now }, now)
    expect(toReputationText(reputation)).toBe('48 of 50 accepted (at least 0.86), 12 payers, usually 4 min')
    const [one] = [rate({ judgements: [row()], medianTurnaroundMs: 89_400, lastSeenAt: now }, now).reputation]
    expect(toReputationText(one)).toBe('1 of 1 accepted (at least 0.20), 1 payer, usually 89 s')
    expect(toReputationText({ ...one, median_turnaround_s: 90 })).toContain('usually 2 min')
    const { median_turnaround_s: _, ...unknown } = one
    expect(toReputationText(unknown)).toBe('1 of 1 accepted (at least 0.20), 1 payer')
  })
})

test('the best score is first in a ranking, and equal scores are ordered by id', () => {
  const known = [
    { agentId: 'b', score: 0.5 },
    { agentId: 'a', score: 0.5 },
    { agentId: 'c', score: 0.9 },
  ]
  expect(mixIn(known, []).map(it => it.agentId)).toEqual(['c', 'a', 'b'])
})

test('every fifth place of a ranking goes to a new agent, and no agent is lost or listed twice', () => {
  const agent = fc.record({ agentId: fc.string(), score: fc.double({ min: 0, max: 1, noNaN: true }) })
  const agents = fc.uniqueArray(agent, { selector: it => it.agentId, maxLength: 40 })
  fc.assert(
    fc.property(agents, fc.nat(40), (all, cut) => {
      const [fresh, known] = [all.slice(0, cut), all.slice(cut)]
      const mixed = mixIn(known, fresh)
      expect(mixed.map(it => it.agentId).sort()).toEqual(all.map(it => it.agentId).sort())
      const first = mixed.findIndex(it => fresh.includes(it))
      if (fresh.length > 0) expect(first).toBe(Math.min(explorationPlaces - 1, known.length))
    }),
  )
})
