export const toLabel = (name: string) =>
  name
    .replace(/[_-]+/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()

const isPlain = (it: unknown) => it === null || typeof it !== 'object'

const linesOf = (value: object, indent: string): string[] =>
  Object.entries(value).flatMap(([name, it]: [string, unknown]) => {
    const lead = Array.isArray(value) ? `${indent}- ` : `${indent}${toLabel(name)}: `
    if (isPlain(it)) return [`${lead}${String(it)}`]
    if (Array.isArray(it) && it.every(isPlain)) return [`${lead}${it.join(', ')}`]
    return [lead.trimEnd(), ...linesOf(Object(it), `${indent}  `)]
  })

/** Formats JSON as labelled lines; returns any other text unchanged. */
export const toLabelled = (text: string): string => {
  try {
    const value: unknown = JSON.parse(text)
    return value === null || typeof value !== 'object' ? text : linesOf(value, '').join('\n')
  } catch {
    return text
  }
}

/** A value on one line: "party Ana role tenant, party Bo role owner". */
export const toWords = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(toWords).join(', ')
  if (value === null || typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([name, it]) => `${toLabel(name)} ${toWords(it)}`)
    .join(' ')
}

/** The members of an input, each on one line: "city: Oslo". Of any other text, its lines. */
export const toMembers = (text: string): string[] => {
  try {
    const value: unknown = JSON.parse(text)
    if (value === null || typeof value !== 'object') return [text]
    return Object.entries(value).map(([name, it]) => `${toLabel(name)}: ${toWords(it)}`)
  } catch {
    return text.split('\n')
  }
}
