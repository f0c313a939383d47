// Separates a user's own words from what they quote or paste. Quoted text is material: it never says what the user wants.

export type OwnWords = {
  /** The message with `[text 1]`, `[text 2]` … in place of the material. */
  text: string
  restore(text: string): string
  /** What is quoted or pasted, in the order of the marks. */
  material: string[]
}

/** Shorter quotations are titles and names, which belong to a request. */
const titleWords = 6
const materialNoun =
  'text|texts|article|e-?mail|mail|message|letter|review|post|document|transcript|page|listing|paragraph|story|' +
  'note|notes|report|speech|comment|essay|chat|conversation|thread|description|passage|sentence|following|this|below'
const fenced = /```[\s\S]{1,32768}?```/g
const quotations = [
  /"[^"]{1,32768}"/g,
  /[“„][^“”„]{1,32768}[”“]/g,
  /«[^«»]{1,32768}»/g,
  /(?<![\p{L}\p{N}])'[^'\n]{2,2000}'(?![\p{L}\p{N}])/gu,
  /`[^`]{1,32768}`/g,
]
/** Lines that a mail program marks as quoted, and everything below the head of a forwarded mail. */
const quotedLines = /(?:^|\n)(?:>[^\n]*(?:\n|$))+/g
const forwarded = /(?:^|\n)-{2,}\s?(?:original|forwarded) message\s?-{2,}[\s\S]*$/i
/** A quotation with a paragraph of its own, which ends the material: what follows it is the user's again. */
const wholeQuotation = String.raw`\s+\[text \d+\] ?\n\s*\n`
/** A sentence that begins with a label gives a value of its own: "A letter, friendly. Creditor: Nordlys". */
const label = String.raw`[.!?]\s+\p{L}+(?:\s\p{L}+)?\s*[:：]`
/** Everything after an announcement such as "this text:" is quoted material. */
const announced = new RegExp(
  String.raw`(?<=\b(?:${materialNoun})\b(?:(?!${label})[^:：\n]){0,60}[:：])(?!${wholeQuotation})\s+\S[\s\S]*$`,
  'iu',
)

const addresses = /\bhttps?:\/\/[^\s<>"'“”„«»`]+/gi
/** The number of words in a text; an address counts as one. */
const wordCount = (text: string) => text.replace(addresses, ' address ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0
const isLong = (text: string) => wordCount(text) > titleWords

export const toOwnWords = (message: string): OwnWords => {
  const material: string[] = []
  const hide = (found: string) => {
    material.push(found)
    return ` [text ${material.length}] `
  }
  const hideLong = (found: string) => (isLong(found) ? hide(found) : found)
  const steps: [RegExp, (found: string) => string][] = [
    [fenced, hide],
    [forwarded, hide],
    [quotedLines, hide],
    ...quotations.map((it): [RegExp, (found: string) => string] => [it, hideLong]),
    [announced, hideLong],
  ]
  const text = steps.reduce((read, [pattern, replace]) => read.replace(pattern, found => replace(found)), message)
  const restore = (of: string): string => {
    const whole = of.replace(/ ?\[text (\d+)\] ?/g, (mark, at: string) => material[Number(at) - 1] ?? mark)
    // Material that was announced may hold quotations, which were replaced before.
    return whole === of ? whole : restore(whole)
  }
  if (material.length === 0) return { text: message, restore: it => it, material }
  return { text: text.trim(), restore, material: material.map(restore) }
}

const around = /^(?:```\w*|["“”„«»'`>\s])+|["“”„«»'`\s]+$/g
/** Material without the marks around it: quotation marks, or a fence with its language. */
export const withoutMarks = (material: string): string => material.replace(around, '')

/** Punctuation at the end of an address. It belongs to the sentence, not to the address. */
const closing = /[.,;:!?)\]}]+$/

/**
 * The http(s) addresses that a message names outside of anything quoted, pasted or forwarded, without duplicates. After an
 * announcement such as "this:", an address counts only as its first word.
 */
export const toOwnUrls = (message: string): string[] => {
  const unquoted = [fenced, forwarded, quotedLines, ...quotations].reduce((text, it) => text.replace(it, ' '), message)
  const own = unquoted.replace(announced, it => (/^\s*https?:\/\//i.test(it) && !isLong(it) ? it : ' '))
  return [...new Set([...own.matchAll(addresses)].map(([it]) => it.replace(closing, '')))]
}
