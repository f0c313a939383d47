import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { command } from '../command.ts'
import { measureActs } from './acts.ts'
import { measureButler } from './butler.ts'
import { askPeople, crossValidate, writeWeights } from './choice.ts'
import { toChoiceRows, toReliability } from './choiceFigures.ts'
import { measureCompound } from './compound/measure.ts'
import { measureConsent } from './consent.ts'
import { measureFilling } from './filling.ts'
import { measureHarm } from './harm.ts'
import { readPeople } from './people.ts'
import { measureLearned, measureSet } from './retrieval.ts'
import { measureScale } from './scale.ts'
import { findSets, readCatalogue, readSet } from './sets.ts'

type Row = Record<string, number | null>

type Options = {
  data?: string
  set?: string
  catalogue?: string
  fill?: string
  consent?: string
  harmless?: string
  compound?: string
  json: boolean
  fitChoice: boolean
}

const values = command('eval', 'Measures reading, choosing, filling and search; with MODEL settings also of that model.')
  .option('--data <folder>', 'figures of each set in this folder')
  .option('--set <name>', 'only this set; `acts` is the reader of acts, by folds of its examples')
  .option('--catalogue <file>', 'instead, the speed of the search with many offerings')
  .option('--fill <file>', 'instead, the filling of inputs')
  .option('--consent <file>', 'instead, the hires by what is said to an open proposal: one phrase a line, as kind, tab, phrase')
  .option('--harmless <path>', 'instead, the requests declined as harmful: a file, one a line, or a folder of sets')
  .option('--compound <file>', 'instead, requests for several things at once, each with its tools and the right calls')
  .option('--fit-choice', 'fit the weights of the choice anew', false)
  .option('--json', 'end with the figures as JSON', false)
  .parse()
  .opts<Options>()

const progress = (words: string) => process.stderr.write(`${words}\n`)
const show = (words: string) => process.stdout.write(`${words}\n`)

const refuse = (words: string): never => {
  progress(words)
  process.exit(2)
}

/** The file of `catalogue-1k` or `catalogue-100k`: in the given folder, in its `catalogues`, or in `catalogues` beside it. */
const findCatalogue = (dir: string | undefined, set: string | undefined): string | undefined => {
  if (!dir || !set?.startsWith('catalogue')) return undefined
  const places = [dir, join(dir, 'catalogues'), join(dir, '..', 'catalogues')]
  return places.flatMap(at => [join(at, `${set}.jsonl`), join(at, `${set}.jsonl.gz`)]).find(file => existsSync(file))
}

/** The figures of every requested set, by name. */
const measure = async (): Promise<Record<string, Row>> => {
  const { data, set } = values
  if (values.fill) {
    const { row, misses } = await measureFilling(values.fill, Date.now())
    for (const it of misses) progress(JSON.stringify(it))
    return { filling: row }
  }
  const catalogue = values.catalogue ?? findCatalogue(data, set)
  if (catalogue) {
    if (!existsSync(catalogue)) refuse(`No catalogue at ${catalogue}.`)
    return { [basename(catalogue).replace(/\.jsonl(\.gz)?$/, '')]: await measureScale(await readCatalogue(catalogue)) }
  }
  if (!data) return refuse('Say where the sets lie: npm run eval -- --data DIR [--set NAME] [--json]')
  const dirs = (await findSets(data)).filter(dir => set === undefined || basename(dir) === set)
  const others = await measureButler(data, set)
  if (dirs.length === 0 && Object.keys(others).length === 0)
    refuse(`No ${set ?? 'set'} in ${data}: a set is a folder with offerings.jsonl and queries.jsonl.`)
  const rows: Record<string, Row> = {}
  for (const dir of dirs) {
    const read = await readSet(dir)
    progress(`${read.name}: ${read.offerings.length} offerings, ${read.queries.length} queries`)
    rows[read.name] = await measureSet(read)
    const learned = await measureLearned(read)
    if (learned) rows[`${read.name}+learned`] = learned
  }
  for (const [name, row] of Object.entries(others)) rows[name] = { ...row, ...rows[name] }
  return rows
}

/** The folder `people` is the given folder, or inside it, or beside it. */
const findPeople = (dir: string): string | undefined =>
  [dir, join(dir, 'people'), join(dir, '..', 'people')].find(at => existsSync(join(at, 'conversations.jsonl')))

/** Figures of the choice among offerings, measured on conversations of people with cross-validation. */
const measureChoice = async (): Promise<Record<string, Row>> => {
  const { data, set, catalogue } = values
  const dir = data && !catalogue && (set === undefined || set === 'people') ? findPeople(data) : undefined
  if (!dir) return {}
  const asked = await askPeople(await readPeople(dir))
  if (values.fitChoice) await writeWeights(asked)
  const judged = crossValidate(asked)
  return { ...toChoiceRows(judged), ...toReliability(judged.whole) }
}

/** Figures of the classifier of acts by cross-validation, which needs no data folder. */
const measureReading = async (): Promise<Record<string, Row>> => {
  const { set, catalogue, fill } = values
  const isAsked = !catalogue && !fill && (set === undefined || set === 'acts')
  return isAsked ? { acts: await measureActs() } : {}
}

const toCell = (name: string, value: number | null | undefined): string => {
  if (value === null || value === undefined) return '–'
  if (name === 'n' || Number.isInteger(value)) return String(value)
  return name.endsWith('_ms') ? value.toFixed(1) : value.toFixed(3)
}

const print = (rows: Record<string, Row>) => {
  const columns = [...new Set(Object.values(rows).flatMap(row => Object.keys(row)))]
  const table = [
    ['set', ...columns],
    ...Object.entries(rows).map(([set, row]) => [set, ...columns.map(it => toCell(it, row[it]))]),
  ]
  const widths = ['set', ...columns].map((_, at) => Math.max(...table.map(line => line[at]?.length ?? 0)))
  for (const line of table)
    show(line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '))
}

if (values.compound) {
  const figures = { compound: await measureCompound(values.compound, progress) }
  print(figures)
  if (values.json) show(JSON.stringify(figures))
  process.exit(0)
}

if (values.consent || values.harmless) {
  const figures = values.consent
    ? await measureConsent(values.consent, it => progress(`${it.isHired ? 'hired' : '-----'}  ${it.kind}: ${it.said}`))
    : await measureHarm(values.harmless ?? '', text => progress(`declined: ${text}`))
  print(figures)
  if (values.json) show(JSON.stringify(figures))
  process.exit(0)
}

// Without data nothing is measured, and the reader need not be trained to say so.
const needsNoData = values.fill || values.catalogue || values.set === 'acts' || values.set === 'people'
if (!needsNoData && !(values.data && existsSync(values.data))) refuse(`--data names no folder: ${values.data ?? 'it is missing'}`)

const choice = await measureChoice()
const reading = values.fitChoice ? {} : await measureReading()
const isOnlyThese = values.fitChoice || values.set === 'acts' || (values.set === 'people' && Object.keys(choice).length > 0)
const rows = isOnlyThese ? {} : await measure()
for (const table of [rows, reading, choice]) if (Object.keys(table).length > 0) print(table)
if (values.json) show(JSON.stringify({ ...rows, ...reading, ...choice }))
