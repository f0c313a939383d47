import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type JsonObject, jsonObject } from '../../src/domain/json.ts'
import { toSearchText } from '../../src/domain/offerings/offering.ts'
import { checkValue } from '../../src/domain/schemas/schema.ts'
import { takesPlainText } from '../../src/domain/schemas/testInput.ts'
import { toCoverage, toTerms } from '../../src/language/words/words.ts'
import type { Model } from '../../src/ports.ts'
import { call, compareCall } from './calls.ts'

const offering = z.object({
  id: z.string().default(''),
  name: z.string(),
  description: z.string().default(''),
  requirement: jsonObject.default({}),
})
type Offering = z.infer<typeof offering>

const query = z.object({
  id: z.string(),
  text: z.string(),
  relevant: z.array(z.string()).default([]),
  kind: z.string().default(''),
  expected: z.string().optional(),
  candidates: z.array(z.string()).default([]),
  arguments: z.array(call).default([]),
  dialogue: z.array(z.tuple([z.string(), z.string()])).default([]),
  offerings: z.array(offering).optional(),
})
type Query = z.infer<typeof query>

type Share = { right: number; asked: number }
type Tally = Record<'args_exact' | 'args_any' | 'calls' | 'ask' | 'call' | 'irrelevance' | 'relevance', Share>
/** Shares from 0 to 1; null where a set has nothing to measure. */
export type Understood = Record<'args_exact' | 'args_any' | 'calls' | 'ask_or_call' | 'irrelevance' | 'relevance', number | null>

const toTally = (): Tally => {
  const none = () => ({ right: 0, asked: 0 })
  return {
    args_exact: none(),
    args_any: none(),
    calls: none(),
    ask: none(),
    call: none(),
    irrelevance: none(),
    relevance: none(),
  }
}
const count = (share: Share, isRight: boolean) => {
  share.right += Number(isRight)
  share.asked += 1
}

const readLines = async <T>(file: string, shape: z.ZodType<T>): Promise<T[]> => {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.split('\n').flatMap(line => (line.trim() ? [shape.parse(JSON.parse(line))] : []))
}

/** Default members of an offering that the sets do not contain. */
const bare = {
  ...{ price: '1', jobInput: '', jobOutput: '', deliverable: {}, slaMinutes: 5 },
  ...{ requiredFunds: false, restricted: false, hide: false, active: true },
}

/** The offerings in the order of the search: by the share of the request's words that they contain. */
const toViews = (task: string, offerings: Offering[]) =>
  offerings
    .map(it => ({ it, coverage: toCoverage(task, new Set(toTerms(toSearchText({ ...bare, ...it })))) }))
    .sort((a, b) => b.coverage - a.coverage)

const chooseAmong = async (model: Model, text: string, offerings: Offering[]): Promise<Offering | undefined> => {
  const { task } = await model.understand(text)
  const views = toViews(task || text, offerings)
  const listings = views.map(({ it: { name, description }, coverage }) => ({
    name,
    description,
    price: '1',
    slaMinutes: 5,
    coverage,
  }))
  return views[(await model.choose({ task: task || text, listings })).picks[0] ?? -1]?.it
}

/** The input of an offering, filled from the messages. An offering without a form gets the plain text and has no arguments. */
const fillFor = async (model: Model, said: string[], { name, description, requirement }: Offering): Promise<JsonObject> =>
  takesPlainText(requirement) ? {} : model.fill({ said, requirement, listing: `${name}\n${description}` })

const isAsking = async (model: Model, said: string[], offering: Offering): Promise<boolean> =>
  !checkValue(offering.requirement, await fillFor(model, said, offering)).pass

type Measure = { model: Model; byId: Map<string, Offering>; tally: Tally }

/** Measures the arguments of queries with exactly one expected call, from the whole dialogue where there is one. */
const measureArguments = async ({ model, byId, tally }: Measure, { text, dialogue, arguments: [wanted, ...more] }: Query) => {
  const offering = wanted && byId.get(wanted.offering)
  if (!offering || more.length > 0) return
  const spoken = dialogue.flatMap(([who, words]) => (who === 'User' ? [words] : []))
  const compared = compareCall(wanted, await fillFor(model, spoken.length > 0 ? spoken : [text], offering))
  const share = wanted.match === 'exact' ? tally.args_exact : tally.args_any
  share.right += compared.right
  share.asked += compared.asked
  count(tally.calls, compared.right === compared.asked)
}

/** Measures whether the model asks or calls after the first message, for the expected offering. */
const measureAsking = async ({ model, byId, tally }: Measure, { text, expected, arguments: [wanted] }: Query) => {
  const offering = wanted && byId.get(wanted.offering)
  if (!offering || (expected !== 'ask' && expected !== 'call')) return
  count(tally[expected], (await isAsking(model, [text], offering)) === (expected === 'ask'))
}

const measureChoice = async ({ model, byId, tally }: Measure, { text, kind, relevant, candidates }: Query) => {
  const shown = candidates.flatMap(id => byId.get(id) ?? [])
  // Some candidates are missing in the offerings of the set. Without any candidate there is nothing to refuse.
  if (shown.length === 0 || (kind !== 'none' && !shown.some(it => relevant.includes(it.id)))) return
  const chosen = await chooseAmong(model, text, shown)
  if (kind === 'none') count(tally.irrelevance, !chosen)
  if (kind === 'single') count(tally.relevance, chosen !== undefined && relevant.includes(chosen.id))
}

/** Measures choice and asking together: nothing fits, something is missing, or the call can be made. */
const measureOwnOfferings = async ({ model, tally }: Measure, { text, expected, offerings = [] }: Query) => {
  const chosen = await chooseAmong(model, text, offerings)
  if (expected === 'none') return count(tally.irrelevance, !chosen)
  if (expected !== 'ask' && expected !== 'call') return
  const asks = chosen && (await isAsking(model, [text], chosen))
  count(tally[expected], asks === (expected === 'ask'))
}

const ratio = ({ right, asked }: Share) => (asked === 0 ? null : right / asked)
const toUnderstood = ({ ask, call, ...rest }: Tally): Understood => {
  const [asks, calls] = [ratio(ask), ratio(call)]
  return {
    args_exact: ratio(rest.args_exact),
    args_any: ratio(rest.args_any),
    calls: ratio(rest.calls),
    ask_or_call: asks === null || calls === null ? null : (asks + calls) / 2,
    irrelevance: ratio(rest.irrelevance),
    relevance: ratio(rest.relevance),
  }
}

/** Every n-th query, so that the sample is constant and from all parts of a set. */
const sample = (queries: Query[], most: number) => {
  const step = Math.max(1, Math.ceil(queries.length / most))
  return queries.filter((_, at) => at % step === 0)
}

/** The maximum number of queries per set for a provider, because each costs seconds and money. */
const maxAsked = 100

/** The sets of a folder that measure understanding: those with arguments, candidates or offerings of their own. */
const readSet = async (dir: string): Promise<{ byId: Map<string, Offering>; queries: Query[] }> => {
  const offerings = await readLines(join(dir, 'offerings.jsonl'), offering)
  const files = ['queries.jsonl', 'when2call.jsonl'].map(it => readLines(join(dir, it), query))
  const queries = (await Promise.all(files)).flat()
  const telling = queries.filter(it => it.arguments.length > 0 || it.candidates.length > 0 || it.offerings)
  return { byId: new Map(offerings.map(it => [it.id, it])), queries: telling }
}

/**
 * Measures how well a model understands: arguments from messages, ask or call, nothing fits. The result is by set, in the order
 * of the folder, without sets that measure nothing. `set` limits it to one set. A provider gets only a sample.
 */
export const evaluateUnderstanding = async ({ data, set, model }: { data: string; set?: string; model: Model }) => {
  const names = set ? [set] : (await readdir(data)).sort()
  const figures: Record<string, Understood & { n: number }> = {}
  for (const name of names) {
    const { byId, queries } = await readSet(join(data, name))
    if (queries.length === 0) continue
    const asked = model.id === 'rules' ? queries : sample(queries, maxAsked)
    const measure = { model, byId, tally: toTally() }
    for (const it of asked) {
      if (it.offerings) await measureOwnOfferings(measure, it)
      else {
        await measureArguments(measure, it)
        await measureAsking(measure, it)
        await measureChoice(measure, it)
      }
    }
    figures[name] = { n: asked.length, ...toUnderstood(measure.tally) }
  }
  return figures
}
