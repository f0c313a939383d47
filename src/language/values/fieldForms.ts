import { isWords, type Slot } from '../fields/fields.ts'
import { recognisers } from '../forms/recognisers.ts'
import { splitWords } from '../words/words.ts'

// The forms that a field takes, each with how well it fits: from its kind, the words of its name and description, and its
// examples.

/** Words of a field with the forms that it then takes, the best one first. */
const formsByWord: [words: RegExp, forms: readonly string[]][] = [
  [/\b(?:host|hostname|server|domain|ip|ipv4|ipv6|dns|node)\b/, ['ip', 'host']],
  [/\b(?:post ?code|zip ?code|zip|postal|post)\b/, ['postcode', 'loose-postcode']],
  [/\biban\b/, ['iban']],
  [/\b(?:symbol|ticker)\b/, ['ticker']],
  [/\b(?:phone|telephone|mobile)\b/, ['phone']],
  [/\bmonth\b/, ['month']],
  [/\b(?:hash|commit|sha|tx|transaction)\b/, ['hash']],
  [/\b(?:path|directory|folder|file|filename)\b/, ['path']],
  [/\b(?:handle|username|channel|account)\b/, ['handle']],
]
const formsByKind: Partial<Record<Slot['kind'], readonly string[]>> = {
  url: ['url', 'host'],
  email: ['email'],
  wallet: ['wallet'],
  phone: ['phone'],
}
const formsByFormat: Record<string, readonly string[]> = { hostname: ['host'], ipv4: ['ip'], ipv6: ['ip'] }

const formsOfNumber = ({ path }: Slot): string[] => {
  const words = splitWords(path.at(-1) ?? '')
  return words.some(it => /^lat(?:itude)?$/.test(it))
    ? ['latitude']
    : words.some(it => /^(?:lon|lng|long|longitude)$/.test(it))
      ? ['longitude']
      : []
}

const anyCode = ['code']
/** Forms that a field of codes takes by its words; any code where its words tell nothing. */
const formsOfCode = ({ name, description, format }: Slot): readonly string[] => {
  const byFormat = formsByFormat[format]
  if (byFormat) return byFormat
  const [named, told] = [splitWords(name).join(' '), splitWords(description).join(' ')]
  const found = formsByWord.find(([words]) => words.test(named)) ?? formsByWord.find(([words]) => words.test(told))
  return found ? found[1] : anyCode
}

/** An example in the description: "in E.164 form, e.g. +442071838750". */
const told = /\b(?:e\.?g\.?,?|for example|such as|like)\s+["'“]?([^\s"'”,;)]{3,80})/i
/** Forms that too many texts have. */
const vague = new Set(['word', 'phrase', 'coined', 'code', 'ticker', 'loose-postcode', 'host', 'hash'])
/** The forms of which a whole example is a value. */
const formsOfExample = (example: string): string[] =>
  recognisers
    .filter(it => !vague.has(it.form))
    .filter(({ find }) => find(example).some(it => it.from === 0 && it.to === example.length))
    .map(it => it.form)

const isMixed = /^(?=\p{L}*\d)(?=\d*\p{L})[\p{L}\d]{4,}$/u
/** Words of a field for free text with the form that its value has where one is said. */
const formsOfWords: [words: RegExp, form: string][] = [
  [/\b(?:colou?r|shade)\b/, 'colour'],
  [/\bdomain(?: name)?$/, 'host'],
]
/** The forms that a field takes, the best one first. */
export const formsOf = (slot: Slot): readonly string[] => {
  if (slot.kind === 'code') {
    const forms = formsOfCode(slot)
    // A form that no ordinary word has tells its values itself. Where any word fits, one that somebody made up is the name.
    const own = slot.fits('word')
      ? forms === anyCode && slot.pattern !== ''
        ? ['coined']
        : []
      : ['word', ...(slot.pattern === '' ? [] : ['phrase'])]
    return [...new Set([...forms, ...own])]
  }
  if (slot.kind === 'number') return formsOfNumber(slot)
  const byKind = formsByKind[slot.kind]
  if (byKind) return [...byKind]
  const named = splitWords(slot.path.at(-1) ?? '').join(' ')
  const own = isWords(slot) ? formsOfWords.find(([words]) => words.test(named)) : undefined
  if (own) return [own[1]]
  const example = slot.kind === 'text' || slot.kind === 'topic' ? told.exec(slot.description)?.[1] : undefined
  const sample = example?.replace(/\.$/, '') ?? ''
  const forms = sample === '' ? [] : formsOfExample(sample)
  // Letters and digits in one word are a form of their own: "e.g. AB1234".
  return forms.length === 0 && isMixed.test(sample) ? anyCode : forms
}

const listWords: [words: RegExp, form: string][] = [
  [/\be-?mails?\b/i, 'email'],
  [/\b(?:urls?|uri|links?|websites?)\b/i, 'url'],
  [/\b(?:hosts?|hostnames|servers|domains)\b/i, 'host'],
  [/\b(?:ips?|ipv4|ipv6)\b/i, 'ip'],
  [/\b(?:phones?|telephones?)\b/i, 'phone'],
  [/\b(?:wallets?)\b/i, 'wallet'],
  [/\b(?:tickers?|symbols)\b/i, 'ticker'],
  [/\b(?:paths?|files?|folders)\b/i, 'path'],
  [/\bcolou?rs\b/i, 'colour'],
]
/** The form of the items of a list; undefined where their form is not known. */
export const formOfItems = ({ itemFormat, name, description }: Slot): string | undefined => {
  const words = [itemFormat, splitWords(name).join(' '), description].join(' ')
  return listWords.find(([pattern]) => pattern.test(words))?.[1]
}
