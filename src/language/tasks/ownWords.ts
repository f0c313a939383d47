import type { JsonObject } from '../../domain/json.ts'
import type { Span } from './rounds.ts'

// The words of one call of several that a text asks for.

const without = (text: string, spans: readonly Span[]): string =>
  spans
    .reduce((left, { from, to }) => left.slice(0, from) + '\0'.repeat(to - from) + left.slice(to), text)
    .replaceAll('\0', '')
    .replace(/\s+/g, ' ')

/** The words of one call: without what tells the others from it. */
export const withoutOthers = (text: string, own: JsonObject, others: readonly JsonObject[]): string => {
  const mine = Object.values(own).map(String)
  const told = others.flatMap(it => Object.values(it).map(String)).filter(it => it !== '' && !mine.includes(it))
  const spans = [...new Set(told)].flatMap(value => {
    const escaped = value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    const found = new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped}(?![\p{L}\p{N}])`, 'u').exec(text)
    return found ? [withJoiner(text, { name: '', from: found.index, to: found.index + value.length })] : []
  })
  return without(text, spans)
    .replace(danglingEnd, '')
    .replace(/\s+([,.?!])/g, '$1')
    .trim()
}

const joinerAfter = /^\s*(?:,\s*(?:(?:and|und|et|y)\s+|&\s*)?|(?:and|&|plus|und|et|y|e)\s+)/iu
const prepositionBefore = /(?<!\p{L})(in|at|for|of|to|from|à|en|em|a|nach|für)\s+$/iu
const danglingEnd =
  /(?:\s*,|\s+(?:and|&|plus|und|et|y|e))?(?:\s+(?:in|at|for|of|to|from|and|à|en|em|a|nach|für))*(?=\s*[.?!]*\s*$)/iu

/** The place of a value with what joins the next one to it: "in Tokyo and" before "in London". */
const withJoiner = (text: string, span: Span): Span => {
  const [joiner = ''] = joinerAfter.exec(text.slice(span.to)) ?? []
  const [, lead = ''] = prepositionBefore.exec(text.slice(0, span.from)) ?? []
  const to = span.to + joiner.length
  const isAgain = joiner !== '' && lead !== '' && text.slice(to).toLowerCase().startsWith(`${lead.toLowerCase()} `)
  return { ...span, to: isAgain ? to + lead.length + 1 : to }
}
