const blanks = /\s{20,}/g

/** Shortens long runs of whitespace. They carry no meaning, and the patterns' time grows with the square of their length. */
export const shortenBlanks = (text: string): string => text.replace(blanks, run => (run.includes('\n') ? '\n\n' : ' '))
