/** Decodes a percent-encoded part of a URL; undefined when it is malformed, as `%E0%A4%A`. */
export const decodePart = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
