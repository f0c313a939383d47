import { decodePart } from '../net/decodePart.ts'

/** Letters that a file system or a terminal reads as something else: separators, wildcards, quotes and pipes. */
const unsafe = /[/\\:*?"<>|]/g
/** Control and format characters (bidi marks, zero-width characters, tags), surrogates, private use and line ends. */
const hidden = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
/** Names that Windows gives to devices, with any extension. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

const mostChars = 120
/** Longer endings are no extension, but a part of the name. */
const extensionChars = 12
const longest = 4_096

/**
 * The name under which a file is shown and saved: the last step of a path, without characters that hide, turn or escape.
 * A long name keeps its extension.
 */
export const toFileName = (given: string): string => {
  const last =
    given
      .slice(-longest)
      .split(/[/\\]/)
      .findLast(it => it.trim() !== '') ?? ''
  const plain = last.normalize('NFC').replace(hidden, '').replace(unsafe, '_').replace(/\s+/g, ' ')
  const bare = plain.replace(/^[\s.]+|[\s.]+$/g, '').replace(device, it => `_${it}`)
  const characters = [...bare]
  if (characters.length <= mostChars) return bare || 'file'
  const extension = extensionOf(bare)
  return `${characters.slice(0, mostChars - 1 - extension.length).join('')}…${extension}`
}

/** The extension of a name with its dot, in the case of the name; empty without one. */
export const extensionOf = (name: string): string => {
  const [found = ''] = /\.[a-z\d]+$/i.exec(name) ?? []
  return found.length <= extensionChars && found.length < name.length ? found : ''
}

/** The header that makes a browser save a file under its name (RFC 6266). Old readers get the name in ASCII. */
export const toDisposition = (name: string): string => {
  const plain = name.replace(/[^ -!#-[\]-~]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, it => `%${it.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** The name in a Content-Disposition header (RFC 6266); that in UTF-8 comes first. */
export const nameIn = (header: string | undefined): string | undefined => {
  const [, encoded] = /\bfilename\*=utf-8''([^;\s]+)/i.exec(header ?? '') ?? []
  const [, quoted, bare] = /\bfilename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header ?? '') ?? []
  return (encoded !== undefined && decodePart(encoded)) || (quoted?.replace(/\\(.)/g, '$1') ?? bare)
}
