import { isDeed } from '../words/vocabulary.ts'
import { splitConnectors } from './connectors.ts'
import type { Unit } from './units.ts'

// A request for work on a text, with that text below or behind it: what the text says are no tasks.

/** Verbs of work that brings something about. Its parts may stand in a list: "Please prepare: 1. a chart, 2. a QR code". */
const bringing = /^(?:prepar|build|buy|order|plan|book|arrang|organi[sz]|reserv|generat|creat|produc|call)/i
const worksOnText = (text: string): boolean =>
  (splitConnectors(text).rest.match(/[\p{L}\p{M}]+/gu) ?? []).some(it => isDeed(it) && !bringing.test(it))

const tasks = /(?<!\p{L})(?:tasks?|things|jobs|steps|to-?dos?|errands|requests|the following)(?!\p{L})/iu
const isItem = ({ joint, text }: Unit) => joint === 'line' && /^\s*(?:\(?\d{1,2}[.)]|[-*•])\s/.test(text)
/** A head that names the text below it: "A printable page of this list:". */
const ofText =
  /(?<!\p{L})(?:of|from|for) (?:this|these|my|our|the following) (?:list|notes?|text|e?-?mail|items?|points|table|minutes|letter)\s*(?::|$)/iu
const pointing =
  /(?<!\p{L})(?:this|these|the following|below)(?: \p{L}+)?(?:,? (?:for me|please|to me|in short|briefly))*\s*[?.!:]?$/iu
/** A preposition whose object is below: "Draw a chart of:". */
const open = /(?<!\p{L})(?:of|from)\s*:$/iu

/** Whether the first unit asks for work on the list or the text that follows it. */
export const hasMaterialBelow = ([head, next, ...more]: readonly Unit[]): boolean => {
  if (!head || !next || !(worksOnText(head.text) || ofText.test(head.text.trim()))) return false
  const items = [next, ...more].filter(isItem)
  const isAlone = isItem(next) && items.length > 1 && !isItem({ ...head, joint: 'line' })
  if (isAlone) return !tasks.test(head.text)
  const isOther = next.joint === '.' || next.joint === 'line'
  const said = head.text.trim()
  return isOther && (pointing.test(said) || open.test(said)) && splitConnectors(next.text).lead === ''
}

const closing =
  /(?<=[.!?]["”’)]*\s+|\n\s*)(?:here(?:['’]s| is) )?(?:the|my) (text|list|letter|notes?|message|e?-?mail|table|article|data|paragraph|minutes)(?: is)?\s*[:：]\s*(?=\S)/iu

/**
 * Takes the text at the end of a message that is named as such: "Shorten this text, and count its words. The text: …".
 * `isOf`: whether the words of a task speak of that text.
 */
export const takeClosing = (message: string): { rest: string; closing: string; isOf(words: string): boolean } => {
  const found = closing.exec(message)
  if (!found) return { rest: message, closing: '', isOf: () => false }
  const spoken = new RegExp(`(?<!\\p{L})(?:its|(?:this|that|the|my) ${found[1]})(?!\\p{L})|(?<!\\p{L})(?:it|this)[.?!]*$`, 'iu')
  return { rest: message.slice(0, found.index).trim(), closing: message.slice(found.index), isOf: words => spoken.test(words) }
}
