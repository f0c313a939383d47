// Controls, formats (bidi marks, zero-width characters, tags), surrogates, private use, and letters that are blank.
const unseen = /[\p{C}\p{Variation_Selector}\u115f\u1160\u3164\uffa0]/gu
// Of these a person's own text needs line breaks, tabs, and the joiners of some scripts.
const unseenInSpeech = /(?![\n\t\u200c\u200d])[\p{C}]/gu

const cut = (text: string, maxChars: number): string => {
  const characters = [...text]
  return characters.length <= maxChars ? text : `${characters.slice(0, maxChars - 1).join('')}…`
}

/**
 * A text of somebody we do not know, made fit to be quoted to a model: one line, nothing invisible, at most `maxChars`
 * characters, the last one an ellipsis when something was cut.
 */
export const toQuotable = (text: string, maxChars: number): string =>
  // Cutting first bounds the work for a text that is mostly invisible.
  cut(
    text
      .slice(0, maxChars * 4)
      .replace(/\s+/g, ' ')
      .replace(unseen, '')
      .replace(/ +/g, ' ')
      .trim(),
    maxChars,
  )

/** A user's own message, which may quote strangers: its lines stay, what is invisible goes. */
export const toSpoken = (text: string, maxChars: number): string =>
  cut(
    text
      .slice(0, maxChars * 2)
      .replace(/\r\n?/g, '\n')
      .replace(unseenInSpeech, ''),
    maxChars,
  )
