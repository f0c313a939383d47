// Matches a stranger's pattern (ECMA-262) by steps that are counted. The engine of the language could run for ever.

import type { Budget } from './schemaCheck.ts'

const maxSteps = 50_000
/** Longer texts and patterns are not compared. */
const maxTextChars = 2_000
const maxPatternChars = 500

/** Matches from a position, and asks `next` about the rest. */
type Next = (at: number) => boolean
type Part = (at: number, next: Next) => boolean
type Repeated = { least: number; most: number; isLazy: boolean }

const quantifier = /^(?:[*+?]|\{\d{1,4}(?:,\d{0,4})?\})\??/
const charClass = /^\[(?:\\[\s\S]|[^\]\\])*\]/
const escaped = /^\\(?:[pP]\{[^}]{1,40}\}|u\{[\da-fA-F]{1,6}\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[^\dkcux]|0)/u
const groupStart = /^\((?:\?(?::|=|!|<[A-Za-z]\w{0,40}>))?/

const toRepeated = (said: string): Repeated => {
  const isLazy = said.length > 1 && said.endsWith('?')
  const [, from = '', comma, to = ''] = /^\{(\d+)(,)?(\d*)\}/.exec(said) ?? []
  if (from !== '') return { least: Number(from), most: comma ? (to === '' ? Infinity : Number(to)) : Number(from), isLazy }
  return { least: said.startsWith('+') ? 1 : 0, most: said.startsWith('?') ? 1 : Infinity, isLazy }
}

const edge =
  (isEdge: (at: number) => boolean): Part =>
  (at, next) =>
    isEdge(at) && next(at)

/** @param step counts one step, and throws when there were too many */
const repeat = (part: Part, { least, most, isLazy }: Repeated, step: () => void): Part => {
  const from =
    (count: number): Part =>
    (at, next) => {
      step()
      const again = () => count < most && part(at, to => (to > at || count < least) && from(count + 1)(to, next))
      const stop = () => count >= least && next(at)
      return isLazy ? stop() || again() : again() || stop()
    }
  return from(0)
}

const createMatcher = (pattern: string, chars: readonly string[], budget: Budget) => {
  let left = pattern
  const step = () => {
    budget.left -= 1
    if (budget.left < 0) throw new RangeError('too many steps')
  }
  const take = (form: RegExp): string => {
    const [found = ''] = form.exec(left) ?? []
    left = left.slice(found.length)
    return found
  }
  const isWord = (at: number) => /^\w$/.test(chars[at] ?? '')
  const one = (source: string): Part => {
    const form = new RegExp(`^(?:${source})$`, 'u')
    return (at, next) => {
      step()
      return at < chars.length && form.test(chars[at] ?? '') && next(at + 1)
    }
  }

  const group = (): Part => {
    const start = take(groupStart)
    const inner = either()
    if (take(/^\)/) === '') throw new SyntaxError('an open group')
    if (start === '(?=') return (at, next) => inner(at, () => true) && next(at)
    if (start === '(?!') return (at, next) => !inner(at, () => true) && next(at)
    return inner
  }
  const atom = (): Part => {
    if (left.startsWith('(')) return group()
    if (take(/^\^/)) return edge(at => at === 0)
    if (take(/^\$/)) return edge(at => at === chars.length)
    if (take(/^\\b/)) return edge(at => isWord(at - 1) !== isWord(at))
    if (take(/^\\B/)) return edge(at => isWord(at - 1) === isWord(at))
    const source = take(charClass) || take(escaped) || take(/^[^\\()[\]{}*+?|]/u)
    if (source === '') throw new SyntaxError('an unsupported part')
    return one(source)
  }
  const sequence = (): Part => {
    const parts: Part[] = []
    while (left !== '' && !/^[|)]/.test(left)) {
      const part = atom()
      const said = take(quantifier)
      parts.push(said === '' ? part : repeat(part, toRepeated(said), step))
    }
    return parts.reduceRight<Part>(
      (rest, part) => (at, next) => part(at, to => rest(to, next)),
      (at, next) => next(at),
    )
  }
  const either = (): Part => {
    const ways = [sequence()]
    while (take(/^\|/)) ways.push(sequence())
    return (at, next) => ways.some(way => way(at, next))
  }
  const whole = either()
  if (left !== '') throw new SyntaxError('an unsupported part')
  return whole
}

/**
 * Whether a text matches a pattern anywhere, as JSON Schema demands. Undefined when that cannot be said: the pattern has a
 * back reference or a look-behind, is malformed, or takes too many steps.
 */
export const matchesPattern = (pattern: string, text: string, budget: Budget = { left: maxSteps }): boolean | undefined => {
  if (text.length > maxTextChars || pattern.length > maxPatternChars) return undefined
  const chars = [...text]
  try {
    const whole = createMatcher(pattern, chars, budget)
    return [...chars.keys(), chars.length].some(at => whole(at, () => true))
  } catch {
    return undefined
  }
}
