/** Patterns of quotations in straight and typographic quotation marks, which may span lines. */
export const doubleQuotes = /"([^"]{1,32768})"/g
export const curlyQuotes = /“([^“”]{1,32768})”/g
export const angleQuotes = /«([^«»]{1,32768})»/g
export const backticks = /`([^`]{1,32768})`/g
