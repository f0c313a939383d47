import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { jsonObject } from '../../src/domain/json.ts'

const offering = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z
    .string()
    .nullish()
    .transform(it => it ?? ''),
  requirement: jsonObject.optional(),
})
const query = z.looseObject({
  id: z.string(),
  text: z.string(),
  relevant: z.array(z.string()).default([]),
  kind: z.enum(['single', 'multi', 'none']),
  candidates: z.array(z.string()).optional(),
})
export type OfferingRow = z.infer<typeof offering>
export type QueryRow = z.infer<typeof query>
export type EvalSet = { name: string; offerings: OfferingRow[]; queries: QueryRow[] }

const toRows = <T extends z.ZodType>(text: string, schema: T): z.output<T>[] =>
  text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => schema.parse(JSON.parse(line)))

const holdsSet = (dir: string) => ['offerings.jsonl', 'queries.jsonl'].every(file => existsSync(join(dir, file)))

/** Folders with sets: the given folder, its subfolders, or those in its `dev`. */
export const findSets = async (dir: string): Promise<string[]> => {
  if (holdsSet(dir)) return [dir]
  for (const at of [dir, join(dir, 'dev')]) {
    if (!existsSync(at)) continue
    const inside = (await readdir(at)).sort().map(name => join(at, name))
    const found = inside.filter(holdsSet)
    if (found.length > 0) return found
  }
  return []
}

export const readSet = async (dir: string): Promise<EvalSet> => ({
  name: basename(dir),
  offerings: toRows(await readFile(join(dir, 'offerings.jsonl'), 'utf8'), offering),
  queries: toRows(await readFile(join(dir, 'queries.jsonl'), 'utf8'), query),
})

/** A catalogue contains only offerings, one JSON object per line, optionally compressed. */
export const readCatalogue = async (file: string): Promise<OfferingRow[]> => {
  const bytes = await readFile(file)
  return toRows((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'), offering)
}
