import { toOwnWords } from '../ownWords.ts'
import { bans, deeds, guards, sets, undoing } from './rules.ts'

/** Replaces the names of sets by their words, sets within sets first. */
const expand = (rule: string): string =>
  Object.keys(sets).some(it => rule.includes(it))
    ? expand(Object.entries(sets).reduce((read, [name, of]) => read.replaceAll(name, of.replace(/\n\s*/g, '')), rule))
    : rule

const rules = [deeds, bans].flatMap(it => it.trim().split('\n')).map(it => new RegExp(String.raw`\b${expand(it)}`, 'i'))
const guard = new RegExp(guards.replace(/\n\s*/g, ''), 'i')

const undo = new RegExp(undoing, 'i')

const readChars = 600

/**
 * Whether a request orders harm: its own words name a deed and a victim, or an act and what is banned. Likeness to a harmful request
 * is no evidence. What is quoted, pasted, told or asked about is no order.
 */
export const isHarmful = (message: string): boolean => {
  const text = toOwnWords(message).text.slice(0, readChars).replaceAll('’', "'").replace(/\s+/g, ' ')
  return rules.some(it => {
    const found = it.exec(text)
    return found !== null && !guard.test(text.slice(0, found.index)) && !undo.test(found[0])
  })
}
