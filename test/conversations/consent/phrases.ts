import { readFile } from 'node:fs/promises'

/** What a user says while a proposal is open. */
export type Phrase = { kind: string; say: string }

/** The words of an open proposal that a phrase may name. */
export type Own = { agent: string; handle: string; offering: string; price: string; digest: string }

/** The phrases of a file: one a line, as kind, tab and phrase. A phrase may name `{agent}`, `{price}` and the like. */
export const readPhrases = async (file: string | URL): Promise<Phrase[]> =>
  (await readFile(file, 'utf8')).split('\n').flatMap(line => {
    const [, kind, say] = /^([^#\t][^\t]*)\t(.+)$/.exec(line) ?? []
    return kind !== undefined && say !== undefined ? [{ kind, say }] : []
  })

const isName = (name: string, own: Own): name is keyof Own => name in own

/** Puts the words of the open proposal into a phrase. */
export const withOwn = (say: string, own: Own): string =>
  say.replace(/\{(\w+)\}/g, (mark, name: string) => (isName(name, own) ? own[name] : mark))
