import { isObject, type JsonObject } from '../../domain/json.ts'
import { splitWords } from './words.ts'

/**
 * Types of values by which a request matches an offering without a common word. "1.250,50 Euro in US dollars" contains two
 * currencies, so an offering that takes two currencies may be meant.
 */
export const valueTypes = [
  ...(['currencies', 'units', 'language', 'audio', 'video', 'image', 'document', 'repository', 'page'] as const),
  ...(['mail', 'account', 'route', 'date', 'time', 'material'] as const),
] as const
export type ValueType = (typeof valueTypes)[number]

/** Characters of a request in which types are recognised. The rest is content. */
const readChars = 2_000

const currencyCodes = Intl.supportedValuesOf('currency').join('|')
const currencyNames =
  'euro|dollar|buck|pound sterling|sterling|yen|franc|krona|kronor|krone|kroner|zloty|rupee|yuan|renminbi|peso|lira|forint|koruna|shekel|dirham|baht|rouble|ruble|hryvnia'
// Currency codes must be in capitals, because "all" and "top" are also words.
const currencyCode = new RegExp(String.raw`(?<!\p{L})(?:${currencyCodes})(?!\p{L})`, 'gu')
const currencyName = new RegExp(
  String.raw`[€£¥]|(?<!\p{L})(?:eur|usd|gbp|jpy|chf|sek|nok|dkk|cad|aud|inr|cny|(?:${currencyNames})s?)(?!\p{L})`,
  'giu',
)
const unit =
  /(?<!\p{L})(?:kilomet(?:er|re)s?|km|miles?|met(?:er|re)s?|cm|mm|feet|foot|ft|inch(?:es)?|yards?|kilograms?|kilos?|kgs?|grams?|lbs?|pounds?|ounces?|oz|stones?|lit(?:er|re)s?|ml|gallons?|cups?|tablespoons?|teaspoons?|celsius|fahrenheit|kelvin|°[cf]|acres?|hectares?|knots|mph|km\/h)(?!\p{L})/giu
const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })
const languages =
  'af ar bg bn ca cs cy da de el en es et eu fa fi fil fr ga gl he hi hr hu id is it ja ko la lt lv ms nl no pl pt ro ru sk sl sq sr sv sw ta te th tr uk ur vi zh'
    .split(' ')
    .map(code => languageNames.of(code) ?? code)
    .join('|')
const links: [ValueType, RegExp][] = [
  ['audio', /\.(?:mp3|wav|m4a|ogg|flac|aac|opus)(?![\p{L}\d])/iu],
  ['video', /\.(?:mp4|mov|mkv|webm|avi)(?![\p{L}\d])/iu],
  ['image', /\.(?:jpe?g|png|webp|svg|gif|heic|tiff?|bmp)(?![\p{L}\d])/iu],
  ['document', /\.(?:pdf|docx?|pptx?|xlsx?|csv|txt|epub|odt|rtf|md)(?![\p{L}\d])/iu],
  ['repository', /git(?:hub|lab|ea)?\.|bitbucket|\.git(?![\p{L}\d])/iu],
]
const link = /https?:\/\/\S{1,500}|(?<![\p{L}\d@.])www\.[\p{L}\d.-]{3,100}\S{0,300}/giu
const month =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
const patterns: [ValueType, RegExp][] = [
  ['language', new RegExp(String.raw`\b(?:in|into|to|from|speak\w*|as)\s+(?:\p{L}+\s)?(?:${languages})\b`, 'iu')],
  ['mail', /[\w.+-]{1,64}@[\w-]{1,63}\.\w/u],
  ['account', /\b0x[0-9a-f]{8,}/iu],
  ['route', /\bfrom\s+\p{Lu}[^.,;!?]{1,40}?\s+to\s+\p{Lu}|\p{Lu}\p{L}+\s+(?:to|-|–|→)\s+\p{Lu}\p{L}+/u],
  [
    'date',
    new RegExp(
      String.raw`\b(?:today|tomorrow|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend|(?:${month}) \d|\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:${month}|may)|may \d|next (?:week|month))\b|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./]`,
      'iu',
    ),
  ],
  ['time', /\b\d{1,2}:\d\d\b|\b\d{1,2} ?[ap]\.?m\b|\b(?:noon|midnight|o'clock)\b/iu],
  ['material', /["“«][^"”»]{12,}["”»]|(?<!\p{L})'[^']{12,}'(?!\p{L})|:\s*(?!\/\/)\S+(?:\s+\S+){3}|```|\n\s*\n/u],
]

const count = (found: Iterable<RegExpMatchArray>) => new Set([...found].map(([it]) => it.toLowerCase().replace(/s$/, ''))).size

/** Returns the types of the values in a request. */
export const typesSaid = (request: string): Set<ValueType> => {
  const text = request.slice(0, readChars)
  const types = new Set<ValueType>()
  for (const [url] of text.matchAll(link)) types.add(links.find(([, pattern]) => pattern.test(url))?.[0] ?? 'page')
  const bare = text.replace(link, ' ')
  if (count([...bare.matchAll(currencyCode), ...bare.matchAll(currencyName)]) > 1) types.add('currencies')
  if (count(bare.matchAll(unit)) > 1) types.add('units')
  for (const [type, pattern] of patterns) if (pattern.test(bare)) types.add(type)
  return types
}

/** Words in a property's name or description that indicate the type of its values. */
const tellingWords: [ValueType, string[]][] = [
  ['audio', ['audio', 'recording', 'podcast', 'voice', 'mp3', 'call', 'interview', 'speech', 'sound']],
  ['video', ['video', 'clip', 'movie']],
  ['image', ['image', 'photo', 'picture', 'photograph', 'screenshot', 'jpg', 'png']],
  ['repository', ['repo', 'repository', 'github', 'git']],
  ['document', ['document', 'pdf', 'file', 'docx', 'report', 'scan', 'invoice', 'slides', 'csv', 'spreadsheet']],
]
const namedBy: [ValueType, string[]][] = [
  ['language', ['language', 'lang', 'locale']],
  ['units', ['unit', 'units']],
  ['mail', ['email', 'mail', 'recipient']],
  ['account', ['address', 'contract', 'wallet', 'token', 'account']],
  ['date', ['date', 'day', 'check', 'deadline', 'arrival', 'departure', 'birthday']],
  ['time', ['time', 'hour', 'at']],
  ['material', ['text', 'content', 'body', 'document', 'code', 'passage', 'article', 'message', 'draft', 'clause']],
]

const typesOfProperty = (name: string, node: JsonObject): ValueType[] => {
  const named = splitWords(name)
  const described = splitWords(typeof node.description === 'string' ? node.description : '')
  const all = new Set([...named, ...described])
  if (named.includes('currency')) return ['currencies']
  if (node.format === 'email') return ['mail']
  if (node.format === 'date') return ['date']
  if (node.format === 'uri' || ['url', 'link', 'uri'].some(it => all.has(it)))
    return [tellingWords.find(([, words]) => words.some(it => all.has(it)))?.[0] ?? 'page']
  const types = namedBy.filter(([, words]) => words.some(it => named.includes(it))).map(([type]) => type)
  // "Address" alone may be a street address as well as an account.
  return types.filter(it => it !== 'account' || /0x|wallet|contract|chain|token/i.test(`${name} ${node.description}`))
}

const sources = new Set(['from', 'origin', 'source', 'departure', 'start'])
const targets = new Set(['to', 'destination', 'target', 'arrival', 'end'])

/** Returns the types of the values that a requirement's properties take. */
export const typesTaken = (requirement: JsonObject): Set<ValueType> => {
  const properties = isObject(requirement.properties) ? Object.entries(requirement.properties) : []
  const types = new Set(properties.flatMap(([name, node]) => (isObject(node) ? typesOfProperty(name, node) : [])))
  const plain = properties.filter(([name, node]) => isObject(node) && typesOfProperty(name, node).length === 0)
  const has = (ends: Set<string>) => plain.some(([name]) => splitWords(name).some(word => ends.has(word)))
  if (has(sources) && has(targets)) types.add('route')
  return types
}
