import { withoutHireTag } from '../../../src/domain/agents/agentId.ts'
import { chainNames } from '../../../src/domain/chains/chains.ts'
import { readTasks } from '../../../src/language/tasks/readTasks.ts'
import { afterCancel, resolveReferences } from '../../../src/language/text/references.ts'
import { toSearched } from '../../../src/language/text/searched.ts'
import { toMinutes } from '../../../src/language/text/wishes.ts'
import { languageOf } from '../../../src/language/words/language.ts'
import { answer, type Step, unread } from './heard.ts'

const names: Record<number, string> = chainNames
/** Text about a chain that this service does not work on. */
export const notServed = (chainId: number) =>
  `I do not work on ${names[chainId] ?? `chain ${chainId}`}, so I cannot hire anybody there. Name another chain, or none.`

/** Listings are in English, so a task in another language is searched in the words that the model returned. */
const toWant = (said: string, task: string, language = 'en') =>
  task && (language !== 'en' || languageOf(said) !== 'en') ? task : said

/** Answer to words that name no work, such as “something” or “hmm”. */
const answersBy = { task: undefined, help: 'capabilities', smalltalk: 'greeting' } as const

const nothingShown = { questions: [], choices: [], next: [] }

/** Starts a new task with its limits. Further tasks in the same message wait. */
export const begin: Step = async (deps, { runId, turn, chainId, next: waiting }, of) => {
  const { text: said, recalled, situation, reading } = of
  const rest = situation.hasJob ? afterCancel(said) : undefined
  const cancelled = rest === undefined ? '' : await deps.respond({ ...nothingShown, runId, turn, act: 'cancel', text: said })
  const text = resolveReferences(rest ?? said, rest === undefined ? {} : (recalled.before?.input ?? {}))
  const slots = rest === undefined ? reading.slots : undefined
  const [first = text, ...others] = slots && slots.tasks.length > 1 ? slots.tasks : readTasks(text).map(it => it.words)
  const next = [...others, ...(turn === 0 ? waiting : [])]
  const read = slots?.wish ?? (await deps.rules.understand([first]))
  const { task, maxPrice, agent, deadline, category, withinMinutes: counted, chainId: chain = chainId } = read
  if (!deps.servesChain(chain)) return { ...unread, ...answer('task', notServed(chain)) }
  const withinMinutes = (deadline ? toMinutes(deadline, deps.now()) : undefined) ?? counted
  return {
    ...unread,
    ...{
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
    },
    ...{ before: undefined, voided: '', avoid: undefined, notice: cancelled },
  }
}
