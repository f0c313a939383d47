import type { JsonObject } from '../../domain/json.ts'
import { findFences, masked } from './fences.ts'
import { findQuotations } from './quotations.ts'

// Splits a message into several tasks. Only conjunctions and separators between tasks count, and only before another verb or a
// numbered item: "bread and butter" is one thing.

const verbs =
  'tell|translate|give|get|find|book|write|make|draw|convert|check|send|read|summari[sz]e|plan|show|look|search|call|create|design|proofread|review|transcribe|explain|remind|schedule|reserve|order|who|what|how|when|where'
const things =
  'flights?|trains?|hotels?|the weather|weather|news|a (?:logo|picture|poem|quiz|translation|summary|workout|meal|training|hotel|flight|train)'
const joints = [
  /(?:^|\s)\d[).]\s+/g,
  /(?:[,;.]\s*|\s+)(?:and\s+)?(?:after that|afterwards|then also|and then|then)[,:]?\s+(?=\S)/gi,
  new RegExp(
    String.raw`(?:[,;.]\s*|\s+)(?:and also|also|plus|and besides)[,:]?\s+(?:i (?:want|need)\s+)?(?=(?:a|an|the|my|\d|${verbs}|${things})\b)`,
    'gi',
  ),
  new RegExp(String.raw`,?\s+and\s+(?:please\s+)?(?:also\s+)?(?=(?:${verbs})\b\s)`, 'gi'),
]

const minWords = 3
const maxTasks = 5
const readChars = 600

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0

/** Masks fenced and quoted text and keeps the positions of all characters. */
const hide = (text: string) => masked(text, [...findFences(text), ...findQuotations(text)])

const cut = (text: string, joint: RegExp): string[] => {
  const hidden = hide(text)
  const parts: string[] = []
  let from = 0
  for (const { 0: found, index } of hidden.matchAll(joint)) {
    parts.push(text.slice(from, index))
    from = index + found.length
  }
  return [...parts, text.slice(from)].map(it => it.trim()).filter(Boolean)
}

/** The words before a second task that begins with the first word of the message: "time in Oslo and time in Lima". */
const sameAgain = (message: string): RegExp[] => {
  const [, word] = /^\s*(\p{L}{4,20})\s/u.exec(message) ?? []
  return word === undefined ? [] : [new RegExp(String.raw`(?:,\s*|,?\s+and\s+)(?=${word}\s)`, 'giu')]
}

/**
 * Returns the tasks of a message in order; a single one when it asks for one thing. Long letters, and messages with several
 * lines of content, are not split.
 */
export const splitTasks = (message: string): string[] => {
  if (message.length > readChars || message.includes('\n')) return [message]
  const numbered = cut(message, joints[0] ?? /(?!)/g)
  if (/^\s*1[).]\s/.test(message) && numbered.length > 1) return numbered.slice(0, maxTasks)
  // Text after a colon is content. Only a phrase such as "after that" ends it.
  const colon = hide(message).search(/:\s/)
  for (const joint of [...joints.slice(1), ...sameAgain(message)]) {
    const parts = cut(message, joint)
    const isInMaterial = colon >= 0 && colon < message.indexOf(parts[1] ?? '') && joint !== joints[1]
    if (parts.length > 1 && !isInMaterial && parts.every(it => wordsOf(it) >= minWords)) return parts.slice(0, maxTasks)
  }
  return [message]
}

const cancelling =
  /^(?:(?:ok|okay|no|oh|nvm|never ?mind|wait|please)[,.!]?\s+)*(?:cancel|stop|abort|forget|withdraw)(?:\s+(?:it|that|this|the job|my job|the order))?(?:\s+please)?\s*(?:[,;.!-]+|\band(?: then)?\b)\s*(?:and\s+|then\s+|please\s+)*(?=\S{2,}\s+\S)/i

/** Returns the request that follows "cancel that, …"; undefined when the message does not begin like this. */
export const afterCancel = (message: string): string | undefined => {
  const [lead] = cancelling.exec(message) ?? []
  return lead === undefined ? undefined : message.slice(lead.length)
}

const placeNames = /^(?:city|to|destination|location|place|town)/i
const dateNames = /date|check_?in|^day$/i
const addressValue = /^https?:\/\//

/** Replaces references such as "there", "the same day" and "of it" by values from an earlier input. */
export const resolveReferences = (text: string, input: JsonObject): string => {
  const entries = Object.entries(input)
  const textOf = (fits: (name: string, value: string) => boolean) =>
    entries.flatMap(([name, value]) => (typeof value === 'string' && fits(name, value) ? [value] : []))[0]
  const [place, date, address] = [
    textOf(name => placeNames.test(name)),
    textOf(name => dateNames.test(name)),
    textOf((_, value) => addressValue.test(value)),
  ]
  return text
    .replace(/\bthere\b(?! (?:is|are|was|will|has|be))/i, it => (place ? `to ${place}` : it))
    .replace(/\b(?:on )?(?:the same|that) (?:day|date)\b/i, it => (date ? `on ${date}` : it))
    .replace(/\b(of|for|from|on) (?:it|that|this)\b/i, (it, lead: string) => (address ? `${lead} ${address}` : it))
}
