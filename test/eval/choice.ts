import { writeFile } from 'node:fs/promises'
import { type Evidence, weighEvidence } from '../../src/language/choice/evidence.ts'
import { type ChoiceWeights, toProbability } from '../../src/language/choice/score.ts'
import { fillRequest } from '../../src/language/filling/fillRequest.ts'
import { understand } from '../../src/language/rules/understand.ts'
import { readTasks } from '../../src/language/tasks/readTasks.ts'
import { gapOf } from '../../src/language/text/gap.ts'
import { searchPassages } from '../../src/operations/market/findListings.ts'
import type { Indexed, Search } from '../../src/ports.ts'
import { withIndex } from './index.ts'
import { fitLogistic } from './logistic.ts'
import type { People, Request } from './people.ts'

/** The number of candidates that the butler considers. */
const candidates = 8
/** The number of search hits, higher because limits exclude some of them. */
const found = 24
/** Deadlines such as "by noon" count from a fixed time, so that the weights do not depend on the day. */
const now = Date.UTC(2030, 0, 1, 9)
const strength = 0.1
const folds = 5
/** The market is also split into this many small ones, whose requests have less weight. */
const smallMarkets = 12
const thinnedWeight = 0.5
/** The number of decimals of a stored weight. */
const digits = 4

/** A request with the evidence for each candidate, and which candidates are right. */
type Asked = { id: string; kind: string; answerable: boolean; evidence: Evidence[]; right: boolean[] }

/** Requests in the whole market, and the same requests in small markets. */
type AskedPeople = { whole: Asked[]; thinned: Asked[][] }
export type Judged = Asked & { probabilities: number[] }

const viewOf = ({ name, description, price, slaMinutes, examples, requirement }: Indexed) => ({
  ...{ name, description, price, slaMinutes, requirement },
  ...(examples && { examples }),
})

type Market = { search: Search; byAgent: Map<string, Indexed> }

const ask = async ({ search, byAgent }: Market, { id, kind, text: said, agents }: Request): Promise<Asked> => {
  const text = readTasks(said)[0]?.words ?? said
  const wishes = fillRequest({ text, requirement: undefined, now }).limits
  const hits = await searchPassages(search, { text, chainId: 97, limit: found })
  const listed = hits.flatMap(hit => {
    const listing = byAgent.get(hit.agentId)
    return listing && !gapOf(listing, wishes) ? [{ hit, listing }] : []
  })
  const some = listed.slice(0, candidates)
  const views = some.map(({ hit, listing }) => ({ ...viewOf(listing), coverage: hit.coverage, score: hit.score }))
  return {
    ...{ id, kind, answerable: agents.length > 0, evidence: weighEvidence(text, views) },
    right: some.map(({ listing }) => agents.includes(listing.agentHandle)),
  }
}

const askAll = (listings: Indexed[], requests: Request[]): Promise<Asked[]> =>
  withIndex(listings, async search => {
    const market = { search, byAgent: new Map(listings.map(it => [it.agentId, it])) }
    const asked: Asked[] = []
    for (const request of requests) asked.push(await ask(market, request))
    return asked
  })

/**
 * The first messages of people with their candidates, in the whole market and in small ones. Most small markets have no right
 * agent for a message. Messages that name an agent are excluded, because they involve no choice.
 */
export const askPeople = async ({ listings, requests }: People): Promise<AskedPeople> => {
  const open = requests.filter(it => !understand(it.text).agent)
  const markets = Array.from({ length: smallMarkets }, (_, n) => listings.filter((__, at) => at % smallMarkets === n))
  const small = await Promise.all(markets.map(it => askAll(it, open)))
  const whole = await askAll(listings, open)
  // Each request in one small market with a right agent, and in one without.
  const thinned = whole.map((_, at) => {
    const all = small.flatMap(it => it[at] ?? [])
    const serving = all.filter(it => it.right.includes(true))
    const others = all.filter(it => !it.right.includes(true) && it.evidence.length > 0)
    return [...serving.slice(0, 1), ...others.slice(at % 3, (at % 3) + 1)]
  })
  return { whole, thinned }
}

const rounded = (value: number) => Number(value.toPrecision(digits))

/** Fits the weights of the choice to requests with known right answers; the same requests give the same weights. */
export const fitChoice = ({ whole, thinned }: AskedPeople): ChoiceWeights => {
  const names = Object.keys(whole.find(it => it.evidence.length > 0)?.evidence[0] ?? {})
  const toSamples = (some: Asked[], counts: number) =>
    some.flatMap(({ evidence, right }) =>
      evidence.map((it, at) => ({
        values: names.map(name => it[name] ?? 0),
        label: right[at] ? (1 as const) : (0 as const),
        counts,
      })),
    )
  const samples = [...toSamples(whole, 1), ...toSamples(thinned.flat(), thinnedWeight)]
  const { bias, weights, means, deviations } = fitLogistic(samples, strength)
  const features = names.map((name, at) => [name, [weights[at] ?? 0, means[at] ?? 0, deviations[at] ?? 1].map(rounded)] as const)
  return { bias: rounded(bias), features: Object.fromEntries(features) }
}

/** The probabilities of each request's candidates, with weights fitted without that request. */
export const crossValidate = ({ whole, thinned }: AskedPeople): { whole: Judged[]; thinned: Judged[] } => {
  const fitted = Array.from({ length: folds }, (_, fold) => {
    const isKept = (__: unknown, at: number) => at % folds !== fold
    return fitChoice({ whole: whole.filter(isKept), thinned: thinned.filter(isKept) })
  })
  const judge = (it: Asked, at: number): Judged => ({
    ...it,
    probabilities: it.evidence.map(one => toProbability(one, fitted[at % folds])),
  })
  return { whole: whole.map(judge), thinned: thinned.flatMap((some, at) => some.map(it => judge(it, at))) }
}

const weightsFile = new URL('../../src/language/choice/weights.json', import.meta.url)

/** Fits the weights again and writes the file that the rules read. */
export const writeWeights = async (asked: AskedPeople): Promise<void> => {
  const { bias, features } = fitChoice(asked)
  const lines = Object.entries(features).map(
    ([name, numbers]) => `    ${JSON.stringify(name)}: ${JSON.stringify(numbers).replaceAll(',', ', ')}`,
  )
  await writeFile(weightsFile, `{\n  "bias": ${bias},\n  "features": {\n${lines.join(',\n')}\n  }\n}\n`)
}
