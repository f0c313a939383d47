import { chinese } from './languages/chinese.ts'
import { english } from './languages/english.ts'
import { everywhere } from './languages/everywhere.ts'
import { french } from './languages/french.ts'
import { german } from './languages/german.ts'
import { italian } from './languages/italian.ts'
import { japanese } from './languages/japanese.ts'
import { arabic, dutch, hindi, korean, polish, swedish } from './languages/others.ts'
import { portuguese } from './languages/portuguese.ts'
import { russian } from './languages/russian.ts'
import { spanish } from './languages/spanish.ts'
import { turkish } from './languages/turkish.ts'
import { type Grammar, toGrammar } from './phrases.ts'

const tables = {
  english,
  german,
  spanish,
  french,
  portuguese,
  italian,
  turkish,
  chinese,
  japanese,
  russian,
  polish,
  dutch,
  swedish,
  korean,
  arabic,
  hindi,
}

let compiled: readonly Grammar[] | undefined

/**
 * One closed grammar for each language, compiled at first use. A message is read in one language at a time, because the same
 * letters mean something else in another one.
 */
export const grammars = (): readonly Grammar[] => {
  compiled ??= Object.values(tables).map(it => toGrammar(it, everywhere))
  return compiled
}
