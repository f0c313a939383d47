import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** Sentences whose translation is kept, the newest ones: each stands for all that differ in figures and names only. */
const maxKept = 1_000

const line = z.tuple([z.string().max(4_000), z.string().max(12_000)])
const readLine = (text: string) => {
  try {
    const { data } = line.safeParse(JSON.parse(text))
    return data ? [data] : []
  } catch {
    // A line that a crash cut off is translated again.
    return []
  }
}

const toLine = (kept: [key: string, said: string]): string => `${JSON.stringify(kept)}\n`

export type KeptPhrases = {
  read(key: string): Promise<string | undefined>
  keep(key: string, said: string): Promise<void>
}

/**
 * Keeps translations of a model: in memory, and with `dir` in a file that the next start reads. The texts have no figures and no
 * names, and each is checked again before it is said.
 */
export const createKeptPhrases = (dir: string | undefined): KeptPhrases => {
  const file = dir === undefined ? undefined : join(dir, 'phrases.jsonl')
  let loaded: Promise<Map<string, string>> | undefined
  const load = async (): Promise<Map<string, string>> => {
    const text = file === undefined ? '' : await readFile(file, 'utf8').catch(() => '')
    const kept = new Map(text.split('\n').flatMap(readLine).slice(-maxKept))
    // The file only grows while the process runs, so what is forgotten is removed here.
    if (file !== undefined && text.split('\n').length > 2 * maxKept) await writeFile(file, [...kept].map(toLine).join(''))
    return kept
  }
  const all = () => {
    loaded ??= load()
    return loaded
  }
  return {
    read: async key => (await all()).get(key),
    keep: async (key, said) => {
      const kept = await all()
      if (kept.get(key) === said) return
      const [oldest] = kept.size < maxKept ? [] : kept.keys()
      if (oldest !== undefined) kept.delete(oldest)
      kept.set(key, said)
      if (dir === undefined || file === undefined) return
      await mkdir(dir, { recursive: true })
      await appendFile(file, toLine([key, said]))
    },
  }
}
