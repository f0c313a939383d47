/** The words of a text or of JSON text, to look for one in the other. */
export const toPlain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('\\n', ' ')
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(' ') ?? ''
