/** Bytes from `start` up to `end`, which is not included. */
export type ByteRange = { start: number; end: number }

/**
 * Reads a Range header (RFC 9110, section 14.2). Undefined means the whole: without a header, with an invalid one, and with
 * several ranges, which a server may ignore.
 * @returns 'none' when the range lies outside of the file
 */
export const readRange = (header: string | undefined, bytes: number): ByteRange | 'none' | undefined => {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  if (from === '') return Number(to) === 0 || bytes === 0 ? 'none' : { start: Math.max(0, bytes - Number(to)), end: bytes }
  if (to !== '' && Number(to) < Number(from)) return undefined
  if (Number(from) >= bytes) return 'none'
  return { start: Number(from), end: to === '' ? bytes : Math.min(bytes, Number(to) + 1) }
}
