import { isObject, type JsonObject, parseJson } from '../../src/domain/json.ts'
import { limits } from '../../src/domain/limits.ts'
import type { Listing } from '../../src/domain/offerings/offering.ts'
import { toUnreadText } from '../../src/domain/plans/planText.ts'
import { fieldsOf } from '../../src/domain/schemas/schema.ts'
import { findDates, toIso } from '../../src/language/forms/dates.ts'
import { readHireSentence } from '../../src/language/rules/phrases.ts'
import { splitConnectors } from '../../src/language/tasks/connectors.ts'
import { toUnits } from '../../src/language/tasks/units.ts'
import { findUnsaid } from '../../src/language/tasks/unsaid.ts'
import { createOwnWords, isDeed, isEmpty } from '../../src/language/words/vocabulary.ts'
import { splitWords } from '../../src/language/words/words.ts'

/** Whether a word says something: a number, a word in other letters, or no word of asking. */
const isTelling = (word: string): boolean => /\p{N}/u.test(word) || (!isEmpty(word) && !isDeed(word))

/**
 * The parts of a message of several parts that an answer says nothing of, each shortened. Whatever is answered first, its user
 * then sees what was not read.
 * @param covered the texts of the answer, and those of what it speaks of
 */
const unreadOf = (message: string, covered: readonly string[], now = Date.now()): string[] => {
  const units = toUnits(message)
  if (units.length < 2) return []
  const isCovered = createOwnWords(covered.join('\n'))
  const answer = covered.join('\n')
  // A day stands in the answer by its date: "day after tomorrow".
  const withoutDays = (text: string) =>
    findDates(text, now).reduce((left, it) => (answer.includes(toIso(it.day)) ? left.replace(it.said, ' ') : left), text)
  const parts = units.filter(({ text }) =>
    splitWords(splitConnectors(withoutDays(text)).rest).some(it => isTelling(it) && !isCovered(it)),
  )
  return parts.map(({ text }) => text.slice(0, limits.unreadChars))
}

/** The same parts as a sentence; empty where all was read. */
export const sayUnread = (message: string, covered: readonly string[]): string => toUnreadText(unreadOf(message, covered))

const textsIn = (value: unknown): string[] =>
  value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [String(value ?? '')]

/** The words of an offering and of its fields. */
const ownWords = ({ name, description, agentName, agentHandle, requirement }: Listing): string =>
  [
    name,
    description,
    agentName,
    agentHandle,
    ...fieldsOf(requirement).map(it => `${it.name.replaceAll('_', ' ')} ${it.description}`),
  ].join(' ')

type Hired = { listing: Listing; input: JsonObject }

/**
 * The values of a request that no input of its hires has and `named` does not name. Of a sentence that names its offering the task
 * alone is read, and an object gives each of its values a member.
 */
export const unsaidOf = (message: string, hires: readonly Hired[], named: readonly string[]): string[] => {
  const taken = hires.flatMap(it => textsIn(it.input))
  const task = readHireSentence(message)?.task ?? message
  if (isObject(parseJson(task))) return []
  return findUnsaid({ message: task, taken, named: named.join('\n'), own: hires.map(it => ownWords(it.listing)).join('\n') })
}
