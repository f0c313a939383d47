import { splitWords, toTerms } from '../../domain/words.ts'
import type { Property } from '../requirement.ts'
import { quotations } from './material.ts'
import { namesAfter, namesIn } from './proper.ts'

// What a free text of unknown sort may be: an example that its description gives, a word in quotes or with a figure beside its name.

const examplesLead =
  /\b(?:such as|e\.?g\.?,?|for example,?|like|examples?(?: \w+){0,3}(?: are| include)?:?|one of:?|options(?: are| include)?:?|values(?: are| include)?:?)\s+(.{1,400})/i
const quoted = /["'“`]([^"'“”`]{2,60})["'”`]/g
const mostExamples = 40

/** Values that a description names as examples: the quoted ones after "such as", "e.g.", "one of". */
const examplesOf = ({ description }: Property): string[] => {
  const list = examplesLead.exec(description)?.[1] ?? ''
  return [...list.matchAll(quoted)].map(it => it[1] ?? '').slice(0, mostExamples)
}

const saidExamples = (message: string, property: Property): string[] => {
  const text = ` ${splitWords(message).join(' ')} `
  const isSaid = (it: string) => toTerms(it).length > 0 && text.includes(` ${splitWords(it).join(' ')} `)
  return examplesOf(property).filter(isSaid)
}

const link = String.raw`(?:\s+(?:is|of|as|to|for|called|named|titled|number|no\.?|id|code)\b){0,2}:?\s+`
const code = String.raw`(?=[\p{L}\p{N}_/.:-]*[\p{N}_/])[\p{L}\p{N}][\p{L}\p{N}_/.:-]*[\p{L}\p{N}]|\d`
const emptyWords = new Set(['name', 'title', 'number', 'id', 'code', 'value', 'type', 'string', 'identifier'])

/** "case number CA123456", "song 'Yesterday'": a code or a quotation beside the name of the property. */
const beside = (message: string, { name }: Property): string[] => {
  const words = splitWords(name)
  const telling = words.filter(it => !emptyWords.has(it))
  const last = (telling.length > 0 ? telling : words).at(-1)
  if (!last || last.length < 2) return []
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}])${last}${link}(?:["'“]([^"'”\n]{1,200})["'”]|(${code}))`, 'iu')
  const match = pattern.exec(message)
  const isDate = match?.[2] !== undefined && /^\d{1,2}(?:st|nd|rd|th|[ap]m)$/.test(match[2])
  return match && !isDate ? [match[1] ?? match[2] ?? ''] : []
}

const besideName = (message: string, { name }: Property): string[] => {
  const word = splitWords(name).findLast(it => !emptyWords.has(it))
  return word && word.length > 2 ? namesAfter(String.raw`${word}(?:\s+(?:is|of|called|named|for))?`, message) : []
}

/** Values of a text without a known sort. */
export const strings = (message: string, property: Property): string[] => [
  ...saidExamples(message, property),
  ...beside(message, property),
  ...besideName(message, property),
]

const byWhom = new Set('artist author director directed singer band composer stylist'.split(' '))
const withWhom = new Set('actor cast starring person doctor'.split(' '))

/** Values of a property that takes a name. Without a word that leads to it a name is taken only where one is asked for. */
export const names = (message: string, property: Property): string[] => {
  const words = splitWords(property.name)
  const lead = [
    ...(words.some(it => byWhom.has(it)) ? ['by', 'of', 'from'] : []),
    ...(words.some(it => withWhom.has(it)) ? ['with', 'starring', 'featuring', 'of'] : []),
    'named',
    'called',
    'titled',
  ]
  const led = lead.flatMap(it => namesAfter(it, message))
  const found = [...strings(message, property), ...led]
  return found.length > 0 || !property.required ? found : [...quotations(message), ...namesIn(message)]
}
