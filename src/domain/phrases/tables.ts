import { chinese } from './tables/chinese.ts'
import type { PhraseTable } from './tables/english.ts'
import { french } from './tables/french.ts'
import { german } from './tables/german.ts'
import { italian } from './tables/italian.ts'
import { japanese } from './tables/japanese.ts'
import { arabic, dutch, hindi, korean, polish } from './tables/others.ts'
import { portuguese } from './tables/portuguese.ts'
import { russian } from './tables/russian.ts'
import { spanish } from './tables/spanish.ts'
import { turkish } from './tables/turkish.ts'

/** The sentences of the butler by ISO 639 code. The first nine languages have all of them. */
export const tables: Readonly<Record<string, Partial<PhraseTable>>> = {
  de: german,
  es: spanish,
  fr: french,
  pt: portuguese,
  it: italian,
  tr: turkish,
  zh: chinese,
  ja: japanese,
  ru: russian,
  nl: dutch,
  pl: polish,
  ko: korean,
  ar: arabic,
  hi: hindi,
}
