/**
 * The text of bytes in UTF-8, or in UTF-16 with its mark (WHATWG Encoding); undefined for other bytes. The last character may be
 * cut.
 */
export const decodeUnicode = (bytes: Uint8Array): string | undefined => {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

/** The text of bytes that are a text. What is no Unicode is read as Windows-1252, in which older programs of the West write. */
export const decodeText = (bytes: Uint8Array): string => decodeUnicode(bytes) ?? new TextDecoder('windows-1252').decode(bytes)
