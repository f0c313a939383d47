import { decide, thresholds } from '../../src/language/choice/choose.ts'
import type { Judged } from './choice.ts'
import { mean, toAuroc } from './figures.ts'

/** Shares (0–1) of the requests that some agent serves by outcome, and of those that none serves. */
export type ChoiceFigures = {
  n: number
  top1: number | null
  proposed_right: number | null
  proposed_wrong: number | null
  in_choices: number | null
  not_in_choices: number | null
  refused: number | null
  none_proposed: number | null
  none_auroc: number | null
}

type Limits = { propose: number; margin: number; choices: number }
const toCandidates = (probabilities: number[]) => probabilities.map(score => ({ score, hasConnected: true }))

type End = 'proposed_right' | 'proposed_wrong' | 'in_choices' | 'not_in_choices' | 'refused'
const toEnd = ({ right, probabilities }: Judged, limits: Limits): End => {
  const { decision, picks } = decide(toCandidates(probabilities), limits)
  const isThere = picks.some(it => right[it])
  if (decision === 'propose') return isThere ? 'proposed_right' : 'proposed_wrong'
  if (decision === 'choices') return isThere ? 'in_choices' : 'not_in_choices'
  return 'refused'
}

const best = ({ probabilities }: Judged) => Math.max(0, ...probabilities)
const share = <T>(rows: T[], holds: (it: T) => boolean) => mean(rows.map(it => (holds(it) ? 1 : 0)))

const toFigures = (judged: Judged[], limits: Limits): ChoiceFigures => {
  const served = judged.filter(it => it.answerable)
  const none = judged.filter(it => !it.answerable)
  const ended = (end: End) => share(served, it => toEnd(it, limits) === end)
  return {
    n: judged.length,
    top1: share(served, it => it.right[it.probabilities.indexOf(best(it))] === true),
    ...{ proposed_right: ended('proposed_right'), proposed_wrong: ended('proposed_wrong') },
    ...{ in_choices: ended('in_choices'), not_in_choices: ended('not_in_choices'), refused: ended('refused') },
    none_proposed: share(none, it => decide(toCandidates(it.probabilities), limits).decision === 'propose'),
    none_auroc: toAuroc(served.map(best), none.map(best)),
  }
}

/** Alternative limits, so that their effect can be compared. */
const others: Limits[] = [
  { propose: 0.4, margin: 0.1, choices: 0.1 },
  { propose: 0.6, margin: 0.1, choices: 0.1 },
  { propose: 0.7, margin: 0.15, choices: 0.1 },
  { propose: 0.5, margin: 0, choices: 0.15 },
  { propose: 0.5, margin: 0.1, choices: 0.05 },
]
const nameOf = ({ propose, margin, choices }: Limits) => `choice p≥${propose} margin ${margin} choices≥${choices}`

/** The figures at the current limits, also for small markets, and at alternative limits. */
export const toChoiceRows = ({ whole, thinned }: { whole: Judged[]; thinned: Judged[] }): Record<string, ChoiceFigures> => {
  const served = thinned.map(it => ({ ...it, answerable: it.right.includes(true) }))
  return {
    [nameOf(thresholds)]: toFigures(whole, thresholds),
    'choice in small markets': toFigures(served, thresholds),
    ...Object.fromEntries(others.map(it => [nameOf(it), toFigures(whole, it)])),
  }
}

const bands = [0, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1.01]

/** How often the most probable candidate is right, by ranges of its probability. For a calibrated score the two agree. */
export const toReliability = (judged: Judged[]): Record<string, { n: number; p_mean: number | null; right: number | null }> => {
  const tops = judged.flatMap(it => {
    const p = best(it)
    return it.probabilities.length === 0 ? [] : [{ p, isRight: it.right[it.probabilities.indexOf(p)] === true }]
  })
  const rows = bands.slice(0, -1).map((from, at) => {
    const to = bands[at + 1] ?? 1
    const inside = tops.filter(it => it.p >= from && it.p < to)
    const name = `choice p ${from}–${Math.min(1, to)}`
    return [name, { n: inside.length, p_mean: mean(inside.map(it => it.p)), right: share(inside, it => it.isRight) }] as const
  })
  return Object.fromEntries(rows)
}
