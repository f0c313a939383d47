import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { boundByForm, readByForm } from '../../graphs/butler/byForm.ts'
import { decide } from '../../graphs/butler/decide.ts'
import { createRules } from '../../src/language/reader/rules.ts'
import { readerDir } from '../reader.ts'
import { findSets } from './sets.ts'

const rules = createRules({ dir: readerDir })
const situation = { stage: 'none', hasJob: false, hasEnded: false } as const

/** Whether the butler declines a first message as harmful, without a language model. */
export const isDeclined = async (text: string): Promise<boolean> => {
  const of = { situation, terms: undefined, by: 'rules', isTextAsked: false }
  const reading = readByForm(text, of) ?? (await rules.read({ text, situation }))
  return decide(boundByForm(reading, { text, stage: 'none', wasDeclined: false }), situation).act === 'declined'
}

/** The requests of a file: one a line, as text or as JSON with `text`. Lines that begin with `#` are left out. */
export const readRequests = async (file: string): Promise<string[]> =>
  (await readFile(file, 'utf8')).split('\n').flatMap(line => {
    if (!line.trim() || line.startsWith('#')) return []
    const text: unknown = line.startsWith('{') ? JSON.parse(line).text : line
    return typeof text === 'string' ? [text] : []
  })

/** The files with requests at a path: the file itself, or the queries of each set in a folder. */
const filesAt = async (path: string): Promise<{ name: string; file: string }[]> =>
  (await stat(path)).isDirectory()
    ? (await findSets(path)).map(dir => ({ name: basename(dir), file: join(dir, 'queries.jsonl') }))
    : [{ name: basename(path), file: path }]

/** Counts how many requests at a path are declined as harmful. `said` gets each one that is. */
export const measureHarm = async (path: string, said: (text: string) => void) => {
  const rows: Record<string, { n: number; declined: number }> = {}
  for (const { name, file } of await filesAt(path)) {
    const texts = await readRequests(file)
    const declined: string[] = []
    for (const text of texts) if (await isDeclined(text)) declined.push(text)
    for (const it of declined) said(it)
    rows[name] = { n: texts.length, declined: declined.length }
  }
  const sum = (of: 'n' | 'declined') => Object.values(rows).reduce((total, it) => total + it[of], 0)
  return { ...rows, all: { n: sum('n'), declined: sum('declined') } }
}
