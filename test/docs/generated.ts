import { readFile, writeFile } from 'node:fs/promises'
import type { z } from 'zod'
import type { ButlerDeps } from '../../graphs/butler/deps.ts'
import { butler } from '../../graphs/butler/graph.ts'
import { guards } from '../../src/domain/jobs/decideMove.ts'
import { causes, isFinal, type JobEvent, jobStates, moves, next } from '../../src/domain/jobs/job.ts'
import { createRules } from '../../src/language/reader/rules.ts'
import { noModel } from '../../src/llm/noModel.ts'
import { chainVariables, environment } from '../../src/settings.ts'
import { command } from '../command.ts'
import { writeTaskWeights } from '../language/tasks/train.ts'
import { readerDir } from '../reader.ts'
import { writePins } from '../surface/pins.ts'
import { slowTests } from './slowTests.ts'

const root = new URL('../../', import.meta.url)
const unreached = async () => Promise.reject(new Error('a drawing reaches nothing'))

const rules = createRules({ dir: readerDir })

const nothing: ButlerDeps = {
  model: noModel,
  rules,
  modelMs: 0,
  now: () => 0,
  servesChain: () => true,
  usdcDecimals: () => 6,
  tell: unreached,
  tellAll: unreached,
  recall: unreached,
  readTalk: unreached,
  readFiles: unreached,
  recallFiles: unreached,
  respond: unreached,
  describeOffers: unreached,
  tellAlive: unreached,
  unpaid: unreached,
  startNext: unreached,
  findListings: unreached,
  readListing: unreached,
  writeProposal: unreached,
  agreeByOrder: unreached,
  agreeByWords: unreached,
  writePlan: unreached,
  agreePlan: unreached,
  declinePlan: unreached,
  advancePlan: unreached,
  agreedPlan: unreached,
  seePlan: unreached,
  readStep: unreached,
  describePlan: unreached,
  readInput: unreached,
  openJob: unreached,
  quotePurchase: unreached,
  agreePurchase: unreached,
  readPurchase: unreached,
  declinePurchase: unreached,
  describePurchase: unreached,
  readJob: unreached,
  judge: unreached,
  tellVerdict: unreached,
  acceptDeliverable: unreached,
  reviseDeliverable: unreached,
  rejectDeliverable: unreached,
  describeEnd: unreached,
}

/** The Mermaid drawing of the compiled graph. */
export const drawing = async (): Promise<string> => (await butler(nothing).getGraphAsync()).drawMermaid().trim()

const isEvent = (text: string): text is JobEvent => Object.hasOwn(causes, text)

const toCells = (row: string[]) => `| ${row.map(it => it.replaceAll('|', '\\|')).join(' | ')} |`
const toTable = (head: string[], rows: string[][]): string => [head, head.map(() => '---'), ...rows].map(toCells).join('\n')

const defaultOf = (variable: z.ZodType): string => {
  const { data } = variable.safeParse(undefined)
  return data === undefined ? '' : String(data)
}

/** The table of moves in Markdown, one line per move. */
const movesTable = (): string => {
  const rows = jobStates.flatMap(state => {
    const out = Object.keys(moves[state])
      .filter(isEvent)
      .map(event => [state, event, next(state, event) ?? '', causes[event], guards[event]?.rule(state) ?? ''])
    return isFinal(state) ? [[state, '', '', 'final', ''], ...out] : out
  })
  return toTable(['state', 'event', 'next', 'when', 'only if'], rows)
}

type Setting = { name: string; byDefault: string; meaning: string }
const toSettings = (shape: Record<string, z.ZodType>, suffix = ''): Setting[] =>
  Object.entries(shape).map(([name, variable]) => ({
    name: `${name}${suffix}`,
    byDefault: defaultOf(variable),
    meaning: variable.description ?? '',
  }))

export const settings = toSettings(environment.shape)
export const chainSettings = toSettings(chainVariables.shape, '_<chain id>')

const settingsTable = (of: Setting[]) =>
  toTable(
    ['variable', 'default', 'meaning'],
    of.map(({ name, byDefault, meaning }) => [`\`${name}\``, byDefault && `\`${byDefault}\``, meaning]),
  )

/** The content of `.env.example`: every setting with an empty value. */
export const envExample = (): string => {
  const lines = settings.map(({ name, byDefault, meaning }) => `# ${meaning}\n#${name}=${byDefault}\n`)
  const chains = chainSettings.map(({ name, meaning }) => `# ${meaning}\n#${name.replace('<chain id>', '84532')}=\n`)
  return [...lines, '# A public chain, here Base Sepolia (84532).\n', ...chains].join('\n')
}

/**
 * Returns the text between two markers of a document, and a function that replaces it.
 * @throws RangeError when the markers are missing
 */
export const blockOf = (text: string, name: string) => {
  const [from, to] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [start, end] = [text.indexOf(from) + from.length, text.indexOf(to)]
  if (start < from.length || end < start) throw new RangeError(`The document has no ${from} … ${to}`)
  return {
    inside: text.slice(start, end).trim(),
    replace: (by: string) => `${text.slice(0, start)}\n${by}\n${text.slice(end)}`,
  }
}

export type Block = { file: string; name: string; content: string }

/** Returns every block of a document that is generated from the code. */
export const blocks = async (): Promise<Block[]> => [
  { file: 'README.md', name: 'graph', content: `\`\`\`mermaid\n${await drawing()}\n\`\`\`` },
  { file: 'docs/jobs.md', name: 'moves', content: movesTable() },
  { file: 'AGENTS.md', name: 'slow tests', content: slowTests() },
  { file: 'docs/settings.md', name: 'settings', content: settingsTable(settings) },
  { file: 'docs/settings.md', name: 'chain settings', content: settingsTable(chainSettings) },
]

export const readDocument = (file: string): Promise<string> => readFile(new URL(file, root), 'utf8')

// As a command, the file writes every generated block, `.env.example`, the weights of the tasks and the pins of the public surface.
if (import.meta.main) {
  command('docs', 'Writes the generated parts of the documents and .env.example anew.').parse()
  for (const { file, name, content } of await blocks())
    await writeFile(new URL(file, root), blockOf(await readDocument(file), name).replace(content))
  await writeFile(new URL('.env.example', root), envExample())
  await writeTaskWeights()
  writePins()
}
