/**
 * Replaces characters that a reader has used. No pattern accepts it as a letter, digit, blank or punctuation, so no value spans
 * it.
 */
export const usedMark = '\uE000'
