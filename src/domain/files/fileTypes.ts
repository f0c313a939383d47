/** What people call a kind of file, by its media type. The first that matches counts. */
const kinds: readonly { matches: RegExp; name: string; words: RegExp; searched: string }[] = [
  { matches: /^application\/pdf$/, name: 'PDF', words: /\bpdfs?\b/i, searched: 'PDF document' },
  {
    matches: /^image\//,
    name: 'picture',
    words: /\b(?:pictures?|images?|photos?|photographs?|logos?|screenshots?|png|jpe?g|webp|gif)\b/i,
    searched: 'picture',
  },
  {
    matches: /^text\/(?:csv|tab-separated-values)$|spreadsheet|ms-excel/,
    name: 'table',
    words: /\b(?:tables?|csv|spreadsheets?|sheets?|excel|xlsx?)\b/i,
    searched: 'table CSV',
  },
  {
    matches: /^audio\//,
    name: 'recording',
    words: /\b(?:recordings?|audio|songs?|sounds?|podcasts?|mp3|wav)\b/i,
    searched: 'audio recording',
  },
  { matches: /^video\//, name: 'video', words: /\b(?:videos?|films?|movies?|clips?|mp4)\b/i, searched: 'video' },
  { matches: /zip|x-tar|gzip|compressed/, name: 'archive', words: /\b(?:archives?|zip)\b/i, searched: 'archive' },
  {
    matches: /^text\/|wordprocessing|msword|opendocument/,
    name: 'document',
    words: /\b(?:documents?|texts?|letters?|notes?|docs?|docx)\b/i,
    searched: 'document text',
  },
]

const kindOf = (mediaType: string) => kinds.find(it => it.matches.test(mediaType))

/** What people call a file of this media type: `PDF`, `picture`, `table`; undefined where there is no such word. */
export const toKindName = (mediaType: string): string | undefined => kindOf(mediaType)?.name

export const toSearchedKind = (mediaType: string): string => kindOf(mediaType)?.searched ?? 'file'

/** Whether words call a file by its kind: `this picture`, `the pdf`. */
export const namesKind = (words: string, mediaType: string): boolean => {
  const kind = kindOf(mediaType)
  if (!kind) return false
  // A PDF and a text are documents, too, as people say it.
  return kind.words.test(words) || (kind.name === 'PDF' && /\bdocuments?\b/i.test(words))
}

/**
 * Whether a media type is one of those that a schema names in `contentMediaType`: a type, a family such as `image/*`, or several
 * of them with commas. No limit takes any type.
 */
export const takesType = (allowed: string, mediaType: string): boolean => {
  const types = allowed
    .toLowerCase()
    .split(',')
    .map(it => it.trim())
    .filter(Boolean)
  const [type = ''] = mediaType.toLowerCase().split(';', 1)
  const isOf = (it: string) => it === '*/*' || it === type.trim() || (it.endsWith('/*') && type.startsWith(it.slice(0, -1)))
  return types.length === 0 || types.some(isOf)
}

/** Types whose own name says nothing to people. */
const typeWords: Readonly<Record<string, string>> = {
  'application/pdf': 'a PDF',
  'text/plain': 'a text',
  'text/csv': 'a table (CSV)',
  'text/tab-separated-values': 'a table (TSV)',
  'application/vnd.ms-excel': 'a table (XLS)',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'a table (XLSX)',
  'application/msword': 'a document (DOC)',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'a document (DOCX)',
}
/** The longest name of a type that is a word, such as PNG or WEBP. */
const mostOfWord = 5

const toTypeWord = (type: string): string => {
  const [family = '', sub = ''] = type.split('/')
  const kind = kindOf(sub === '*' ? `${family}/x` : type)?.name ?? 'file'
  const exact = sub.replace(/^x-/, '')
  const named = `${kind === 'archive' ? 'an' : 'a'} ${kind}`
  return sub !== '*' && exact.length <= mostOfWord ? `${named} (${exact.toUpperCase()})` : named
}

/** Names the types that a schema allows, for people: `a PDF or a text`. */
export const toTypeWords = (allowed: string): string => {
  const types = allowed
    .toLowerCase()
    .split(',')
    .map(it => it.trim())
    .filter(Boolean)
  const each = [...new Set(types.map(it => typeWords[it] ?? toTypeWord(it)))]
  return each.length === 0 ? 'a file' : each.length === 1 ? (each[0] ?? '') : `${each.slice(0, -1).join(', ')} or ${each.at(-1)}`
}
