/** A part of a message: `from` and `to` enclose it with its marks, `start` and `end` without them. */
export type Marked = { from: number; to: number; start: number; end: number }

const opening = /`{3,}|~{3,}/g
/** What may follow an opening fence on its line: the name of a language. */
const language = /^[ \t]*[\w+#./-]{0,30}[ \t]*\r?\n/
const maxFences = 20

/** The end of a block whose closing fence stands on a line of its own; undefined without one. */
const blockEnd = (text: string, start: number, fence: string): { end: number; to: number } | undefined => {
  const closing = new RegExp(String.raw`^[ \t]{0,3}${fence.charAt(0)}{${fence.length},}[ \t]*\r?$`, 'gm')
  closing.lastIndex = start
  const found = closing.exec(text)
  if (!found) return undefined
  // The line break before the closing fence belongs to the fence. It has two characters where the opening line has two.
  const breakChars = text.slice(start - 2, start) === '\r\n' && text.slice(found.index - 2, found.index) === '\r\n' ? 2 : 1
  return { end: Math.max(start, found.index - breakChars), to: found.index + found[0].trimEnd().length }
}

/**
 * Finds fenced blocks (CommonMark 4.5), also ones that begin or end inside a line. An unclosed block ends with the text. The
 * content is exact: no character of it is changed.
 */
export const findFences = (text: string): Marked[] => {
  const found: Marked[] = []
  for (const { 0: fence, index } of text.matchAll(opening)) {
    const from = index
    if (from < (found.at(-1)?.to ?? 0)) continue
    if (found.length >= maxFences) break
    const inside = from + fence.length
    const line = language.exec(text.slice(inside, inside + 80))?.[0]
    const start = inside + (line?.length ?? 0)
    const block = line === undefined ? undefined : blockEnd(text, start, fence)
    if (block) {
      found.push({ from, start, ...block })
      continue
    }
    const close = text.indexOf(fence, inside)
    if (close >= 0) found.push({ from, start: inside, end: close, to: close + fence.length })
    else if (line !== undefined && start < text.length) found.push({ from, start, end: text.length, to: text.length })
  }
  return found.filter(it => text.slice(it.start, it.end).trim() !== '')
}

/** The same text with other characters in place of all that is marked, so that no pattern finds anything in it. */
export const masked = (text: string, marked: readonly Marked[]): string =>
  marked.reduce((left, { from, to }) => left.slice(0, from) + '\u0001'.repeat(to - from) + left.slice(to), text)
