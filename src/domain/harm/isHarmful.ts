import { toOwnWords } from '../text/ownWords.ts'
import { bans, deeds, guards, pretended, sets, undoing } from './rules.ts'

/** A line that goes on is indented. */
const joined = (lines: string): string => lines.replace(/\n\s+/g, '')

/** Replaces the names of sets by their words, sets within sets first. */
const expand = (rule: string): string =>
  Object.keys(sets).some(it => rule.includes(it))
    ? expand(Object.entries(sets).reduce((read, [name, of]) => read.replaceAll(name, () => joined(of)), rule))
    : rule

/** The beginning of a rule, up to its first space outside of groups. Nothing meets the rule that does not meet this. */
const headOf = (rule: string): string => {
  let depth = 0
  let end = rule.length
  for (const [at, char] of [...rule].entries()) {
    depth += Number(char === '(') - Number(char === ')')
    if (depth === 0 && char === '|') return rule
    if (depth === 0 && char === ' ') end = Math.min(end, at)
  }
  return rule.slice(0, end)
}

const toPattern = (rule: string) => new RegExp(String.raw`\b${expand(rule)}`, 'i')

/** A long pattern takes many milliseconds to compile, so it is compiled for the first text that meets its head. */
const rules = [deeds, bans]
  .flatMap(it => it.trim().split(/\n(?! )/))
  .map(joined)
  .map(rule => {
    const head = toPattern(headOf(rule))
    let whole: RegExp | undefined
    return (text: string) => {
      if (!head.test(text)) return null
      whole ??= toPattern(rule)
      return whole.exec(text)
    }
  })
const guard = new RegExp(joined(guards), 'i')
const undo = new RegExp(undoing, 'i')
const pretence = new RegExp(joined(pretended), 'i')

const readChars = 600

/**
 * Whether a request orders harm: its own words name a deed and a victim, or an act and what is banned. Likeness to a harmful
 * request is no evidence. What is quoted, pasted, told or asked about is no order.
 */
export const isHarmful = (message: string): boolean => {
  const text = toOwnWords(message).text.slice(0, readChars).replaceAll('’', "'").replace(/\s+/g, ' ')
  return rules.some(it => {
    const found = it(text)
    if (found === null || guard.test(text.slice(0, found.index)) || undo.test(found[0])) return false
    return !pretence.test(text.slice(found.index))
  })
}
