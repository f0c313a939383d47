import { toAtoms, toPlain } from './offer.ts'

/** What a phrase does in an answer to a proposal. */
export const roles = [
  /** A yes in so many words. */
  'yes',
  /** Orders the hire or accepts its terms. */
  'order',
  /** Agrees in conversation, but is sarcastic or polite beside praise or thanks. */
  'sure',
  /** Agrees alone. Beside thanks or praise it only acknowledges. */
  'fair',
  /** Names the work. It agrees only beside another agreement. */
  'work',
  /** Praise, haste and the like, which say nothing of their own beside a yes or an order. */
  'aside',
  'please',
  'thanks',
  /** Connects two phrases. */
  'and',
  /** A sound before a yes. */
  'well',
  /** Introduces a name of the offer as an order: "hire", "go with". */
  'naming',
  /** Introduces a name or the price of the offer, and orders nothing: "for", "to". */
  'leading',
  /** Follows the price of the offer: "is fine". */
  'closing',
  'no',
  'cancel',
  /** Begins a condition: "only if", "unless". */
  'condition',
] as const
export type Role = (typeof roles)[number]

/**
 * The phrases of one language by role, separated by commas. `(a|b|)` stands for either, or for nothing. A message is an answer
 * only if it consists of such phrases and of names and figures of the offer; anything else makes it no answer.
 */
export type Table = Partial<Record<Role, string>> & {
  /** Messages that these phrases make up, but that mean something else. */
  never?: string
  /** The only phrases that agree when they are repeated: elsewhere "ja ja" and "sí sí" are impatient. */
  repeated?: string
}

/** Splits a text at a sign that stands in no group. */
const splitOutside = (text: string, sign: RegExp): string[] => {
  const parts = ['']
  let depth = 0
  for (const it of text) {
    depth += Number(it === '(') - Number(it === ')')
    if (depth === 0 && sign.test(it)) parts.push('')
    else parts.push(parts.pop() + it)
  }
  return parts
}

const expand = (pattern: string): string[] => {
  const from = pattern.indexOf('(')
  if (from < 0) return [pattern]
  const [group = ''] = splitOutside(pattern.slice(from), /\)/)
  const ends = expand(pattern.slice(from + group.length + 1))
  const choices = splitOutside(group.slice(1), /\|/).flatMap(expand)
  return choices.flatMap(it => ends.map(end => pattern.slice(0, from) + it + end))
}

export const toKey = (text: string): string => toAtoms(toPlain(text)).join(' ')

export const toKeys = (list: string): string[] => splitOutside(list, /[,\n]/).flatMap(expand).map(toKey).filter(Boolean)

export type Grammar = {
  rolesByPhrase: ReadonlyMap<string, readonly Role[]>
  never: ReadonlySet<string>
  repeated: ReadonlySet<string>
}

export const toGrammar = (...tables: Table[]): Grammar => {
  const rolesByPhrase = new Map<string, Role[]>()
  for (const table of tables)
    for (const role of roles)
      for (const key of toKeys(table[role] ?? '')) rolesByPhrase.set(key, [...(rolesByPhrase.get(key) ?? []), role])
  const union = (of: (table: Table) => string | undefined) => new Set(tables.flatMap(it => toKeys(of(it) ?? '')))
  return { rolesByPhrase, never: union(it => it.never), repeated: union(it => it.repeated) }
}
