import { sayIn } from '../phrases/sayIn.ts'
import { english } from '../phrases/tables/english.ts'
import { tables } from '../phrases/tables.ts'

// Sentences that tell a user which word does something. Code says them in each language; a translation could swap the words.

/** What leads to the terms of a proposal, in the user's language. Undefined for English, whose proposals say it themselves. */
export const termsIn = (language: string): string | undefined =>
  language === '' || language === 'en' ? undefined : (tables[language]?.terms ?? english.terms)

const deeds = { cancel: english.sayCancel, refund: english.sayRefund, appeal: english.sayAppeal }

/** The deeds that a user must name with their own word. */
export const toNamedDeed = (deed: keyof typeof deeds): string => deeds[deed]

const consentWord = /[“"«„「](?:yes|no|cancel|refund|appeal|pay|never mind)[”"»“」]|\bsay (?:yes|no)\b/i

/**
 * A text that tells which word does something, in the user's language as far as its table has the sentences. Undefined for every
 * other text, which may be translated.
 */
export const deedTextIn = (text: string, language: string): string | undefined =>
  consentWord.test(text) ? sayIn(text, language).text : undefined
