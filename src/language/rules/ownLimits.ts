import { takeDeadline, takePrice } from '../text/limits.ts'
import { toMeaning } from '../words/words.ts'

// Limits on price and time are the user's own words. A price inside pasted material is a price of the material.

/** A line that points at the text below it, or above it. */
const pointing =
  /\b(?:texts?|article|e-?mail|mail|message|letter|review|post|document|transcript|page|paragraph|story|notes?|report|speech|comment|essay|chat|conversation|thread|passage|following|below)\b/i
const pointingUp = /\b(?:above|preceding)\b/i
const quotedLine = /^\s*>/
const maxPointingChars = 300

const statesOnlyLimits = (line: string): boolean => {
  const price = takePrice(line)
  const deadline = takeDeadline(price.rest)
  return (price.found ?? deadline.found) !== undefined && toMeaning(deadline.rest).length === 0
}

/** The user's lines of a message. Of the lines below one that points at them, only a first or last one with nothing but limits. */
export const toOwnLines = (message: string): string => {
  const lines = message.split('\n').filter(it => it.trim() !== '' && !quotedLine.test(it))
  const last = lines.at(-1) ?? ''
  if (lines.length > 1 && last.length <= maxPointingChars && pointingUp.test(last)) return last
  const at = lines.findIndex(it => pointing.test(it) && it.length <= maxPointingChars)
  if (at < 0) return lines.join('\n')
  const below = lines.slice(at + 1)
  const edges = [...new Set([below[0] ?? '', below.at(-1) ?? ''])]
  return [...lines.slice(0, at + 1), ...edges.filter(statesOnlyLimits)].join('\n')
}
