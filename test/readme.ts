import { readFile, writeFile } from 'node:fs/promises'
import type { ButlerDeps } from '../graphs/butler/deps.ts'
import { butler } from '../graphs/butler/graph.ts'
import { guards } from '../src/domain/decideMove.ts'
import { causes, isFinal, type JobEvent, jobStates, moves, next } from '../src/domain/job.ts'
import { createRules } from '../src/llm/rules.ts'

const readme = new URL('../README.md', import.meta.url)
const unreached = async () => Promise.reject(new Error('a drawing reaches nothing'))

const nothing: ButlerDeps = {
  model: createRules(),
  now: () => 0,
  servesChain: () => true,
  tell: unreached,
  findListings: unreached,
  readListing: unreached,
  writeProposal: unreached,
  agreeByOrder: unreached,
  readInput: unreached,
  openJob: unreached,
  readJob: unreached,
  judge: unreached,
  tellVerdict: unreached,
  acceptDeliverable: unreached,
  reviseDeliverable: unreached,
  rejectDeliverable: unreached,
  describeEnd: unreached,
}

/** The compiled graph as it draws itself, in Mermaid. */
export const drawing = async (): Promise<string> => (await butler(nothing).getGraphAsync()).drawMermaid().trim()

const isEvent = (text: string): text is JobEvent => Object.hasOwn(causes, text)

/** The table of moves in Markdown, a line a move. */
export const movesTable = (): string => {
  const lines = jobStates.flatMap(state => {
    const out = Object.keys(moves[state])
      .filter(isEvent)
      .map(event => [state, event, next(state, event) ?? '', causes[event], guards[event]?.rule ?? ''])
    return isFinal(state) ? [[state, '', '', 'final', ''], ...out] : out
  })
  const head = [
    ['state', 'event', 'next', 'when', 'only if'],
    ['---', '---', '---', '---', '---'],
  ]
  return [...head, ...lines].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

/** What stands in the README between two markers, and how it is replaced. @throws RangeError when the markers are missing */
export const blockOf = (text: string, name: string) => {
  const [from, to] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [start, end] = [text.indexOf(from) + from.length, text.indexOf(to)]
  if (start < from.length || end < start) throw new RangeError(`README.md has no ${from} … ${to}`)
  return {
    inside: text.slice(start, end).trim(),
    replace: (by: string) => `${text.slice(0, start)}\n${by}\n${text.slice(end)}`,
  }
}

/** The two blocks that are read off the code. */
export const blocks = async (): Promise<{ graph: string; moves: string }> => ({
  graph: `\`\`\`mermaid\n${await drawing()}\n\`\`\``,
  moves: movesTable(),
})

export const readReadme = (): Promise<string> => readFile(readme, 'utf8')

// Run as a command it writes both blocks.
if (import.meta.main) {
  let text = await readReadme()
  for (const [name, block] of Object.entries(await blocks())) text = blockOf(text, name).replace(block)
  await writeFile(readme, text)
}
