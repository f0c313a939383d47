import { readFileSync } from 'node:fs'
import type { Label } from '../../../src/language/tasks/labels.ts'
import { toUnits, type Unit } from '../../../src/language/tasks/units.ts'

const folder = new URL('../../../prompts/plans/', import.meta.url)

const byMark: Record<string, Label> = { '//': 'task', '&&': 'share', '<<': 'context', '~~': 'frame' }
const marks = /(?<=^|[\s。？！])(?:\/\/|&&|<<|~~)(?: (?:\/\/|&&|<<|~~))* /g

/** A reference in an example: the user's words for what an earlier task gives. */
export type Reference = { from: number; to: number }
export type Labelled = { text: string; units: Unit[]; labels: Label[]; references: Reference[] }

const readReferences = (marked: string): { text: string; references: Reference[] } => {
  const references: Reference[] = []
  let text = ''
  for (const [at, part] of marked.split(/\[\[|\]\]/).entries()) {
    if (at % 2 === 1) references.push({ from: text.length, to: text.length + part.length })
    text += part
  }
  return { text, references }
}

/**
 * Parses one example: `//` stands before a unit that begins a task, `&&` before one with the verb of the task before, `<<` before
 * what the next task needs, `~~` before words about the tasks; `// &&` is `&&`. A reference stands in `[[` and `]]`.
 * @throws RangeError for a mark where no unit begins
 */
export const parseExample = (line: string): Labelled => {
  const places: { at: number; label: Label }[] = []
  let bare = ''
  let from = 0
  const whole = line.replaceAll('\\n', '\n')
  for (const found of whole.matchAll(marks)) {
    bare += whole.slice(from, found.index)
    places.push({ at: bare.replaceAll(/\[\[|\]\]/g, '').length, label: byMark[found[0].trim().slice(-2)] ?? 'task' })
    from = found.index + found[0].length
  }
  const { text, references } = readReferences(bare + whole.slice(from))
  const units = toUnits(text)
  const own = units.map((unit, at): Label => places.find(it => it.at === unit.from)?.label ?? (at === 0 ? 'task' : 'more'))
  const lost = places.find(place => !units.some(it => it.from === place.at))
  if (lost) throw new RangeError(`no unit begins at the mark ${lost.at} in: ${line}`)
  return { text, units, labels: own, references }
}

let known: Labelled[] | undefined
/** Reads the examples of requests, once: with several tasks, with one, and joined ones. */
export const readExamples = (): Labelled[] => {
  known ??= parseAll()
  return known
}

const parseAll = (): Labelled[] =>
  ['several', 'single', 'joined']
    .flatMap(name => readFileSync(new URL(`${name}.txt`, folder), 'utf8').split('\n'))
    .flatMap(line => (line.trim() === '' ? [] : [parseExample(line)]))
