import { clockTime } from '../durations.ts'
/** Text of an understood message. @param task what is to be done; undefined when the message is no task */
export const toUnderstoodText = (task: string | undefined): string => (task === undefined ? 'Understood.' : `Understood: ${task}`)

/** Text of a search. @param count number of offerings found */
export const toFoundText = (count: number): string => (count === 1 ? 'Found 1 offering.' : `Found ${count} offerings.`)

type Chosen = { name: string; agentHandle: string }

export const toChosenText = ({ name, agentHandle }: Chosen, reason: string): string =>
  `Chose "${name}" by ${agentHandle}: ${reason}`

type Usage = { failures: number; inputTokens: number; outputTokens: number; cachedTokens: number }

/** Text of a question to a language model. */
export const toUsageText = ({ failures, inputTokens, outputTokens, cachedTokens }: Usage): string =>
  failures > 0
    ? 'The language model gave no usable answer, so this was done without it.'
    : `The language model read ${inputTokens} tokens${toCachedText(cachedTokens)} and wrote ${outputTokens}.`

const toCachedText = (tokens: number) => (tokens > 0 ? ` (${tokens} of them again)` : '')

const progress = {
  working: 'The job is open: its agent has it, or gets it at its next poll.',
  judged: 'The deliverable was judged; the money is on its way.',
  undelivered: 'The job has ended without a new deliverable; the money is on its way.',
}

/** Text of a run whose job has not reached its final state. */
export const toProgressText = (at: keyof typeof progress): string => progress[at]

export const payingText = 'The payment is under way.'

/** Text about further tasks of a message. @param tasks at least one */
export const toLaterText = (tasks: string[]): string =>
  `After that: “${tasks.join('”, “')}”. I will propose it when this job has ended.`

/** The end of a run with a further task, which is proposed at once. */
export const toNextText = (answer: string, task: string): string => `${answer}\n\nNext: “${task}”. I propose it now.`

/** Text of a run whose job is not in the database. */
export const jobMissing = 'The job no longer exists.'

/** Text of a hire without an open proposal. */
export const nothingProposed = 'There is no open proposal.'

/** What is said to a user who decides later. @param lapsesAt epoch ms */
export const toNoHurry = (lapsesAt: number): string =>
  `Take your time: the proposal is open until ${clockTime(lapsesAt)}, and nothing happens without your yes.`
