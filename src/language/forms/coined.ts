import { isEnglish } from '../words/englishWords.ts'
import { byPattern } from './form.ts'

const fewestLetters = 4
/** Names that somebody made up: words in small letters that are in no dictionary, such as those of a domain or an account. */
export const coined = byPattern({
  form: 'coined',
  pattern: /(?<![\p{L}\p{N}@/.:'’-])\p{Ll}[\p{Ll}\p{N}]{1,40}(?:-[\p{Ll}\p{N}]{1,40}){0,4}(?![\p{L}\p{N}@/:'’-]|\.\p{L})/gu,
  isReal: said => said.length >= fewestLetters && !said.split('-').every(isEnglish),
  examples: { 'is mossyhollow free': ['mossyhollow'], 'take oak-tavernix now': ['oak-tavernix'] },
  counterExamples: ['is the name free', 'Berlin', 'a@mossyhollow.example'],
})
