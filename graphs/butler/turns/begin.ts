import { withoutHireTag } from '../../../src/domain/agents/agentId.ts'
import { chainNames } from '../../../src/domain/chains/chains.ts'
import { english } from '../../../src/domain/phrases/tables/english.ts'
import { mostSteps } from '../../../src/domain/plans/plan.ts'
import { readHireSentence } from '../../../src/language/rules/phrases.ts'
import { onlyTells, readTasks, type Task } from '../../../src/language/tasks/readTasks.ts'
import { findTakes } from '../../../src/language/tasks/takes.ts'
import { afterCancel, resolveReferences } from '../../../src/language/text/references.ts'
import { toSearched } from '../../../src/language/text/searched.ts'
import { languageOf } from '../../../src/language/words/language.ts'
import { splitWords } from '../../../src/language/words/words.ts'
import { newDraft } from '../offers/several.ts'
import type { Called, Draft, Update } from '../state.ts'
import { clockOf } from '../zones.ts'
import { answer, type Step, unread } from './heard.ts'

const names: Record<number, string> = chainNames
/** Text about a chain that this service does not work on. */
export const notServed = (chainId: number) =>
  `I do not work on ${names[chainId] ?? `chain ${chainId}`}, so I cannot hire anybody there. Name another chain, or none.`

/** Listings are in English, so a task in another language is searched in the words that the model returned. */
const toWant = (said: string, task: string, language = 'en') =>
  task && (language !== 'en' || languageOf(said) !== 'en') ? task : said

/** Answer to words that name no work, such as “something” or “hmm”. */
const answersBy = { task: undefined, help: 'capabilities' } as const

/** Share of a message (0–1) that a model's only task must have to be all of it. */
const wholeShare = 0.6

/**
 * Whether the only task of a model, with its values, has nearly all words of the message that ask for something. Then its parts are
 * no tasks of their own.
 */
const isWhole = (text: string, [only, ...more]: readonly string[], called: Called | undefined): boolean => {
  if (only === undefined || more.length > 0) return false
  const asked = text.split(/(?<=[.!?])\s+/).filter(it => !onlyTells(it) || only.includes(it))
  const taken = new Set(splitWords(`${only} ${JSON.stringify(called?.input ?? {})}`))
  const words = splitWords(asked.join(' '))
  return words.filter(it => taken.has(it)).length >= words.length * wholeShare
}

/** Whether the only task of a model goes over the borders of all tasks that the rules found. */
const spansAll = (text: string, only = '', tasks: readonly Task[]): boolean => {
  const from = only === '' ? -1 : text.indexOf(only)
  const meets = ({ words }: Task) => {
    const at = text.indexOf(words)
    return at >= 0 && at < from + only.length && from < at + words.length
  }
  return from >= 0 && tasks.every(meets)
}

/** The tasks of a message. Where a model split it otherwise, its tasks stand alone. `called`: what it read for each. */
export const toTasks = (text: string, read: readonly string[] = [], called?: Called): (Task & Pick<Draft, 'called'>)[] => {
  if (isWhole(text, read, called) || readHireSentence(text)) return [{ words: text, takes: [] }]
  const tasks = readTasks(text)
  if (read.length < 2) return spansAll(text, read[0], tasks) ? [{ words: text, takes: [] }] : tasks
  const parts = (called?.several ?? []).filter(it => it.task !== '')
  const own = read.length === tasks.length ? tasks : read.map((words, at) => ({ words, takes: findTakes(read, at) }))
  return parts.length === read.length ? own.map((it, at) => ({ ...it, called: parts[at] })) : own
}

const nothingShown = { questions: [], choices: [], next: [] }

/** Starts a new task with its limits. Several tasks of a message become a plan. */
export const begin: Step = async (deps, { runId, turn, chainId, stage, most, next: waiting }, of) => {
  const { text: said, recalled, situation, reading } = of
  const rest = situation.hasJob ? afterCancel(said) : undefined
  const cancelled = rest === undefined ? '' : await deps.respond({ ...nothingShown, runId, turn, act: 'cancel', text: said })
  const text = resolveReferences(rest ?? said, rest === undefined ? {} : (recalled.before?.input ?? {}))
  const slots = rest === undefined ? reading.slots : undefined
  const isQuestion = reading.act === 'price' || reading.act === 'recommend'
  const tasks = isQuestion ? [{ words: text, takes: [] }] : toTasks(text, slots?.tasks, of.called)
  const [first = text] = tasks.length > 1 ? [text] : tasks.map(it => it.words)
  // Tasks that an earlier release left waiting follow a single task.
  const next = turn === 0 ? waiting : []
  const read = slots?.wish ?? (await deps.rules.understand(first, clockOf(first, deps.now(), recalled.timeZone)))
  const { task, maxPrice, agent, category, withinMinutes, chainId: chain = chainId } = read
  if (!deps.servesChain(chain)) return { ...unread, ...answer('task', notServed(chain)), unplanned: [text] }
  return {
    ...unread,
    ...(most !== undefined && { most: undefined }),
    act: 'task',
    to: 'search',
    said: [first],
    next,
    task: task || first,
    want: toWant(toSearched(withoutHireTag(first)), task, slots?.language),
    maxPrice,
    agent,
    withinMinutes,
    category,
    chainId: chain,
    instead: answersBy[read.intent],
    before: undefined,
    voided: '',
    avoid: undefined,
    notice: [cancelled, stage === 'proposal' && english.earlierGone].filter(Boolean).join(' '),
    ...(tasks.length > 1 && toPlanned(tasks, { text, maxPrice })),
  }
}

/** Words that make a limit one of the whole plan. */
const forAll = /\b(?:in total|altogether|all together|overall|for (?:all|everything|both|the lot)|all of (?:it|them))\b/i

/** Several tasks are planned side by side. A limit belongs to its task, unless it is said of all of them. */
const toPlanned = (
  tasks: (Task & Pick<Draft, 'called'>)[],
  { text, maxPrice }: { text: string; maxPrice: string | undefined },
): Update => ({
  to: 'plan',
  drafts: tasks.slice(0, mostSteps).map(({ words, takes, called }, at) => newDraft(at, { words, takes: [...takes], called })),
  unplanned: tasks.slice(mostSteps).map(it => it.words),
  maxPrice: forAll.test(text) ? maxPrice : undefined,
  agent: undefined,
  category: undefined,
  withinMinutes: undefined,
  instead: undefined,
})
