import { findFences, masked } from '../text/fences.ts'
import type { Taken } from '../text/limits.ts'

// Reads phrases about agents.

const agentId = String.raw`\d{1,10}:0x[0-9a-fA-F]{1,40}:\d{1,30}`
const handle = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}_.-]{0,62}[\p{L}\p{N}])?`
const idPhrases = [
  new RegExp(String.raw`agent id:\s*(?:${handle}##)?(${agentId})`, 'iu'),
  new RegExp(String.raw`(?:\b(?:hire|use|ask)\s+)?(?:(?:the\s+)?agent\s+)?(${agentId})`, 'iu'),
]
const nobody = 'an?|the|some|any|me|one|us|someone|somebody|it|them|him|her|this|that|agents?|for|to'
const handlePhrases = [
  new RegExp(String.raw`\b(?:hire|use|ask)\s+(?:the\s+)?agent\s+@?(?!(?:for|to)\b)(${handle})`, 'iu'),
  new RegExp(String.raw`\bhire\s+@?(?!(?:${nobody})\b)(${handle})`, 'iu'),
  new RegExp(String.raw`(?:\b(?:use|with|ask|via|from|by)\s+)?(?<![\p{L}\p{N}.])@(${handle})`, 'iu'),
  // "Use formal language" names no agent: after "use", a handle without a hyphen or digit must be the whole message.
  new RegExp(String.raw`\buse\s+((?=[\p{L}.]{0,64}[\d_-])${handle})`, 'iu'),
  new RegExp(String.raw`^\W{0,9}(?:please\s+)?use\s+(?!(?:${nobody})\b)(${handle})(?:\s+(?:instead|please))?\W*$`, 'iu'),
]

const takeFirst = (patterns: RegExp[], message: string): Taken<string> => {
  for (const pattern of patterns) {
    const match = pattern.exec(message)
    if (match?.[1]) return { found: match[1], rest: message.replace(match[0], ' ') }
  }
  return { found: undefined, rest: message }
}

/** Returns the agent that a message names by its full id, and the message without that phrase. */
export const takeId = (message: string) => takeFirst(idPhrases, message)
/** Returns the agent that a message names by its handle, and the message without that phrase. */
export const takeHandle = (message: string) => takeFirst(handlePhrases, message)

const closingChars = 300
const hireService = /\bfor the ["“](.{1,200}?)["”] service\b/i

/**
 * Parses the sentence that command-line clients send: "… to hire <agent> [for the "<service>" service] task: <free text>
 * [Reward: <number> <token>.] <a request to go ahead>". Returns undefined for any other message.
 */
export const readHireSentence = (message: string): { task: string; service: string; frame: string } | undefined => {
  const own = masked(message, findFences(message))
  const start = own.search(/\btask:/i)
  if (start < 0 || !/\bhire\b/i.test(own.slice(0, start))) return undefined
  const text = message.slice(start + 'task:'.length)
  // The request to go ahead stands at the end. The task may contain the same words.
  const tail = Math.max(0, text.length - closingChars)
  const found = own.slice(start + 'task:'.length + tail).search(/\breward:|\b(?:please )?create (?:the|a) job\b/i)
  const end = found < 0 ? -1 : tail + found
  const [task, closing] = end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end)]
  const frame = `${message.slice(0, start)} ${closing}`
  return { task: task.trim(), service: hireService.exec(frame)?.[1] ?? '', frame }
}
