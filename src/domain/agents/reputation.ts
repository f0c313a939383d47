import { z } from 'zod'
import { dayMs, toIso } from '../durations.ts'
import { toCounted } from '../text/counted.ts'
import type { AgentId } from './agentId.ts'

/** Version of the formula below, which every published figure carries. A change of the formula changes it. */
export const reputationVersion = 'reputation-1'

/** Half-life of a judgement's weight, in days. */
export const halfLifeDays = 90
/** Half-life in ms of the weight of when an agent was last seen. */
const lifeHalfMs = dayMs
/** Number of standard deviations that contain 95 % of a normal distribution. */
const z95 = 1.96
/** Agents with fewer judgements are new. One of every `explorationPlaces` places in the ranking by score is reserved for them. */
export const newAgentJudgements = 5
export const explorationPlaces = 5

/** The number of whole days (UTC) since the epoch, from epoch ms. */
export const toDay = (at: number): number => Math.floor(at / dayMs)

/** Judgements of one agent's funded jobs by one payer on one day, without jobs of its own owner. */
export type Judgements = { payer: string; day: number; judged: number; accepted: number; punctual: number }

/** The inputs of the formula for one agent. Times in epoch ms; turnaround from hire to deliverable. */
export type Evidence = {
  judgements: Judgements[]
  medianTurnaroundMs: number | undefined
  lastSeenAt: number | undefined
}

export const reputation = z.object({
  judged: z.number().describe('Funded jobs, not of its owner, that were judged or ended without a deliverable'),
  accepted: z.number(),
  success_bound: z.number().describe('Lower bound of the 95 % Wilson interval of accepted/judged; 0 before the first'),
  // Absent, not null, because existing clients fail on null.
  median_turnaround_s: z.number().optional().describe('Median seconds from hire to deliverable; absent before the first'),
  payers: z.number().describe('Number of distinct wallets that paid'),
  last_seen: z.string().describe('ISO 8601; empty when it was never seen'),
  score: z.number().describe('0–1, by the formula of `version`'),
  version: z.string(),
})
export type Reputation = z.infer<typeof reputation>

/** All inputs of a score. Payers are anonymous. */
export const explanation = z.object({
  formula: z.string(),
  half_life_days: z.number(),
  weighted_judged: z.number(),
  weighted_accepted: z.number(),
  weighted_bound: z.number(),
  punctuality: z.number(),
  availability: z.number(),
  payers: z.array(z.object({ judged: z.number(), accepted: z.number(), faded_judged: z.number(), counts_as: z.number() })),
})
export type Explanation = z.infer<typeof explanation>

const formula =
  'score = bound * (0.7 + 0.2 punctuality + 0.1 availability); a judgement fades by 2^(-days/90); ' +
  'what a payer judged, n when faded, counts as log2(1 + n); ' +
  'bound = lower end of the 95 % Wilson interval of what all payers accepted and judged; ' +
  'punctuality = share submitted within the promised time, with the same weights; ' +
  'availability = 2^(-days since the agent was last seen)'

/**
 * Lower bound of the Wilson score interval: the acceptance rate that is likely at least, given few judgements (E. B. Wilson,
 * 1927). It takes fractions, because weights decay.
 */
export const wilsonBound = (accepted: number, judged: number): number => {
  if (judged <= 0) return 0
  const share = Math.min(1, accepted / judged)
  const square = z95 * z95
  const deviation = Math.sqrt((share * (1 - share) + square / (4 * judged)) / judged)
  return Math.max(0, (share + square / (2 * judged) - z95 * deviation) / (1 + square / judged))
}

/** Weighted judgements of one payer, and the number that they count as: seven jobs of one payer count as three of three. */
const weigh = (its: Judgements[], today: number) => {
  const sum = { judged: 0, accepted: 0, faded: 0, good: 0, punctual: 0 }
  for (const { day, judged, accepted, punctual } of its) {
    const fade = 2 ** (-Math.max(0, today - day) / halfLifeDays)
    sum.judged += judged
    sum.accepted += accepted
    sum.faded += judged * fade
    sum.good += accepted * fade
    sum.punctual += punctual * fade
  }
  const counts = Math.log2(1 + sum.faded)
  const scale = sum.faded > 0 ? counts / sum.faded : 0
  return { ...sum, counts, good: sum.good * scale, punctual: sum.punctual * scale }
}

const total = <T>(items: T[], of: (item: T) => number): number => items.reduce((sum, it) => sum + of(it), 0)
const round = (value: number): number => Math.round(value * 10_000) / 10_000

/** Computes an agent's reputation and lists every input. Pure; `now` in epoch ms. */
export const rate = (of: Evidence, now: number): { reputation: Reputation; explanation: Explanation } => {
  const payers = [...Map.groupBy(of.judgements, it => it.payer).values()].map(its => weigh(its, toDay(now)))
  const judged = total(payers, it => it.counts)
  const accepted = total(payers, it => it.good)
  const bound = wilsonBound(accepted, judged)
  const punctuality = judged > 0 ? total(payers, it => it.punctual) / judged : 0
  const { lastSeenAt, medianTurnaroundMs } = of
  const availability = lastSeenAt === undefined ? 0 : 2 ** (-Math.max(0, now - lastSeenAt) / lifeHalfMs)
  const all = { judged: total(payers, it => it.judged), accepted: total(payers, it => it.accepted) }
  return {
    reputation: {
      ...all,
      success_bound: round(wilsonBound(all.accepted, all.judged)),
      ...(medianTurnaroundMs !== undefined && { median_turnaround_s: Math.round(medianTurnaroundMs / 1000) }),
      payers: payers.length,
      last_seen: lastSeenAt === undefined ? '' : toIso(lastSeenAt),
      score: round(bound * (0.7 + 0.2 * punctuality + 0.1 * availability)),
      version: reputationVersion,
    },
    explanation: {
      formula,
      half_life_days: halfLifeDays,
      weighted_judged: round(judged),
      weighted_accepted: round(accepted),
      weighted_bound: round(bound),
      punctuality: round(punctuality),
      availability: round(availability),
      payers: payers.map(it => ({
        judged: it.judged,
        accepted: it.accepted,
        faded_judged: round(it.faded),
        counts_as: round(it.counts),
      })),
    },
  }
}

type Scored = { agentId: AgentId; score: number }

/**
 * Orders agents by score, with every fifth place for a new agent, because new agents would otherwise never be hired and judged.
 */
export const mixIn = <T extends Scored, N extends Scored>(best: T[], fresh: N[]): (T | N)[] => {
  const ranked = best.toSorted((a, b) => b.score - a.score || (a.agentId < b.agentId ? -1 : 1))
  const mixed: (T | N)[] = []
  for (const it of fresh) {
    mixed.push(...ranked.splice(0, explorationPlaces - 1))
    mixed.push(it)
  }
  return [...mixed, ...ranked]
}

const toSpan = (seconds: number) => (seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`)

/** The reputation in one line for people. The lower bound is rounded down. */
export const toReputationText = ({ judged, accepted, success_bound, payers, median_turnaround_s }: Reputation): string => {
  if (judged === 0) return 'no judged jobs yet'
  const bound = (Math.floor(success_bound * 100) / 100).toFixed(2)
  const usual = median_turnaround_s === undefined ? '' : `, usually ${toSpan(median_turnaround_s)}`
  return `${accepted} of ${judged} accepted (at least ${bound}), ${toCounted(payers, 'payer')}${usual}`
}
