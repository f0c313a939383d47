import { decodeText, decodeUnicode } from '../text/decodeText.ts'
import { extensionOf } from './fileName.ts'

/** What is known of a file: the type that its first bytes prove, those bytes, and what its sender says. */
type Known = { proven: string | undefined; head: Uint8Array; declared: string | undefined; name: string }

/** Texts that nothing executes, by extension. Their bytes prove no more than that they are text. */
const textTypes: Record<string, string> = {
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  '.md': 'text/markdown',
  '.json': 'application/json',
  '.jsonl': 'application/x-ndjson',
  '.srt': 'application/x-subrip',
  '.vtt': 'text/vtt',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
}
const plainTexts = new Set(Object.values(textTypes))

/** Markup in which a browser finds scripts. It counts wherever it is near the beginning, as browsers sniff (WHATWG MIME). */
const markup = [
  { type: 'image/svg+xml', sign: /<svg[\s>]/i },
  { type: 'text/html', sign: /<!doctype html|<(?:html|head|body|script|iframe|style|title|table|div|br|p|a|h1)[\s/>]/i },
  { type: 'application/xml', sign: /^\s*<\?xml\s/ },
]
const sniffedChars = 4_096

/** The type of a file as its bytes show it. What its sender says decides only between kinds of plain text. */
export const toMediaType = ({ proven, head, declared, name }: Known): string => {
  const extension = extensionOf(name).toLowerCase()
  const isCalledText = declared?.startsWith('text/') || extension === '.txt' || Object.hasOwn(textTypes, extension)
  const text = textOf(head, isCalledText)
  if (proven !== undefined && proven !== 'application/xml') return proven
  if (text === undefined) return 'application/octet-stream'
  const active = markup.find(it => it.sign.test(text.slice(0, sniffedChars)))
  if (active) return active.type
  if (declared !== undefined && plainTexts.has(declared)) return declared
  return textTypes[extension] ?? 'text/plain'
}

/**
 * The text of bytes; undefined for those with control characters. Bytes that are no Unicode are a text only where the sender calls
 * them one.
 */
const textOf = (head: Uint8Array, isCalledText = false): string | undefined => {
  const text = isCalledText ? decodeText(head) : decodeUnicode(head)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters say that bytes are no text
  return text === undefined || /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text
}

/** A media type without its parameters, in lower case; undefined when it says nothing about the bytes. */
export const toDeclaredType = (header: string | undefined): string | undefined => {
  const [type] = (header ?? '').toLowerCase().split(';')
  const bare = type?.trim() ?? ''
  return /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/.test(bare) && !silent.has(bare) ? bare : undefined
}
const silent = new Set(['application/octet-stream', 'binary/octet-stream', 'application/x-www-form-urlencoded'])

const inert =
  /^(?:image\/(?!svg)|audio\/|video\/)|^(?:text\/(?:plain|csv|tab-separated-values|markdown|vtt)|application\/(?:pdf|json|zip))$/

/** The type under which a file is sent. What a browser could execute is sent as bytes without a meaning. */
export const toServedType = (mediaType: string): string => {
  if (!inert.test(mediaType)) return 'application/octet-stream'
  return mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType
}
