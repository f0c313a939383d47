import { limits } from '../limits.ts'

// Control and format characters (bidi marks, zero-width characters, tags), surrogates, private use, and blank letters.
const unseen = /[\p{C}\p{Variation_Selector}\u115f\u1160\u3164\uffa0]/gu
// The same, except line breaks, tabs, and the joiners of some scripts, which a user's own text needs.
const unseenInSpeech = /(?![\n\t\u200c\u200d])[\p{C}]/gu

// Control characters and direction marks, except line breaks and tabs.
const steering = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
/** The terminal codes that begin and end dim text. */
const dim = ['\u001b[2m', '\u001b[22m']

/** A text for a terminal: without the characters that move the cursor, clear or hide text, or turn its direction. */
export const toPrintable = (text: string): string =>
  text.replace(steering, (char, at: number) => (dim.some(code => text.startsWith(code, at)) ? char : ''))

export const isVisible = (text: string): boolean => text.replace(unseen, '').trim() !== ''

const cut = (text: string, maxChars: number): string => {
  const characters = [...text]
  return characters.length <= maxChars ? text : `${characters.slice(0, maxChars - 1).join('')}…`
}

/**
 * Prepares a stranger's text for quoting to a model: one line, nothing invisible, at most `maxChars` characters. A shortened
 * text ends with an ellipsis.
 */
export const toQuotable = (text: string, maxChars: number): string =>
  // Shortening first bounds the work for a text that is mostly invisible.
  cut(
    text
      .slice(0, maxChars * 4)
      .replace(/\s+/g, ' ')
      .replace(unseen, '')
      .replace(/ +/g, ' ')
      .trim(),
    maxChars,
  )

/** A user's own message, which may quote strangers: keeps line breaks, removes invisible characters. */
export const toSpoken = (text: string, maxChars: number): string =>
  cut(
    text
      .slice(0, maxChars * 2)
      .replace(/\r\n?/g, '\n')
      .replace(unseenInSpeech, ''),
    maxChars,
  )

/** A stranger's name for a text in Markdown: it begins no heading. */
export const quoteName = (text: string): string => toQuotable(text, limits.nameChars).replace(/#{2,}/g, '#')
