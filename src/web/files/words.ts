/** The size of a file for people: `812 bytes`, `14.2 KB`, `3.1 MB`. */
export const toSize = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} bytes`
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'KB'] : [bytes / 1_000_000, 'MB']
  return `${size < 100 ? Math.round(size * 10) / 10 : Math.round(size)} ${unit}`
}

/** The ending of a name as a mark in place of a picture: `PDF`; `FILE` without one. */
export const toMark = (name: string): string => (/\.([a-z0-9]{1,4})$/i.exec(name)?.[1] ?? 'file').toUpperCase()

/** The ids in a value of a file field: one id, or a list of them as JSON; none of any other text. */
export const fileIdsIn = (value: string): string[] =>
  /^(?:file_[0-9a-f]{32}|\["file_[0-9a-f]{32}"(?:,\s*"file_[0-9a-f]{32}")*\])$/.test(value)
    ? (value.match(/file_[0-9a-f]{32}/g) ?? [])
    : []

const mostLines = 4
const mostChars = 120

/** The first lines of a text, each cut, without characters that turn or hide others. */
export const toFirstLines = (text: string): string =>
  text
    .replace(/[^\P{C}\n\t]/gu, '')
    .split('\n')
    .filter(it => it.trim() !== '')
    .slice(0, mostLines)
    .map(it => (it.length > mostChars ? `${it.slice(0, mostChars)}…` : it))
    .join('\n')
