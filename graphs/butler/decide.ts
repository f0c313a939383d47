import { toNamedDeed } from '../../src/domain/consent/deedTexts.ts'
import type { Act, Situation } from '../../src/domain/runs/acts.ts'
import type { TurnReading } from '../../src/ports.ts'

/** Below this probability, the user is asked before an act with consequences. */
const sureEnough = 0.6
/**
 * Below `taskBelow`, a message without an open question counts as a task, and the search decides. Below `harmFrom`, a refused
 * topic does not count as one.
 */
const taskBelow = 0.6
const harmFrom = 0.5
/** Below this probability, a first message may still be a task. */
const surely = 0.9
/** From this probability, a message counts as one about a job even if there is no job. */
const certain = 0.99
/** Acts that a first message keeps at any probability, because a search could not distinguish them from a task. */
const settled: readonly Act[] = ['task', 'declined', 'yes', 'recommend', 'price', 'pay']
/** Acts that a first message keeps at any probability, unless it reads like a task, too. */
const mostlySettled: readonly Act[] = ['no', 'greeting', 'thanks', 'mandates']

/** Acts about a job. Without a job such a message is a task when the market has an offering for it, unless it is `certain`. */
export const needJob: readonly Act[] = ['status', 'cancel', 'refund', 'appeal']

/** The probability from which a first message has this act even if the market has an offering for it. */
const surelyFrom = (act: Act, other: Act): number => {
  if (needJob.includes(act)) return certain
  return settled.includes(act) || (mostlySettled.includes(act) && other !== 'task') ? 0 : surely
}

const open = ['ask', 'proposal', 'choices']
/** Acts that hire, cancel or start another task. */
const atStake: readonly Act[] = ['yes', 'cancel', 'task', 'pay', 'declined']

/** The word with which the user does what a model alone may not. */
const deeds: Partial<Record<Act, string>> = {
  yes: 'I have done nothing yet. To hire it, say “yes”.',
  cancel: toNamedDeed('cancel'),
  refund: toNamedDeed('refund'),
  appeal: toNamedDeed('appeal'),
}

/** Acts that an unsure reader may take instead of a yes that is none by its form. Otherwise the user is asked. */
const besideYes: readonly Act[] = ['change', 'about', 'price', 'recommend']

/**
 * `isHardly`: a message whose act is uncertain or needs a job that does not exist. The market decides whether it is a task.
 * `isPerhapsAnswer`: a message that is another task if the market has an offering for it, and otherwise the answer to the open
 * question.
 */
export type Decision = { act: Act; isDoubtful: boolean; isHardly?: boolean; isPerhapsAnswer?: boolean }

/** Acts that a message keeps at any probability while a text is asked for. */
const keptWhileAsked: readonly Act[] = ['answer', 'no', 'cancel', 'refund', 'appeal', 'pay']
/** Below this probability, a message may be the answer to the open question. */
const surelyOther = 0.9

/**
 * Decides for a message while a question is open. Any sentence can be a text that was asked for, so another act must be more
 * certain than elsewhere. Returns undefined if no special rule applies.
 */
const decideWhileAsked = ({ act, sure, other }: TurnReading, isTextAsked: boolean): Decision | undefined => {
  const isUnsure = sure < surelyOther
  if (act === 'task' && (isTextAsked || (isUnsure && other === 'answer')))
    return { act, isDoubtful: false, isPerhapsAnswer: true }
  return isTextAsked && isUnsure && !keptWhileAsked.includes(act) ? { act: 'answer', isDoubtful: false } : undefined
}

/**
 * Decides which act a message counts as, from the classifier's reading and the situation of the conversation.
 * @param isTextAsked whether the open question asks for a text to work on
 */
export const decide = (reading: TurnReading, { stage, hasJob, hasEnded }: Situation, isTextAsked = false): Decision => {
  const { act, sure, other, isPlain, isUnheld } = reading
  if (isPlain) return { act, isDoubtful: false }
  const isOpen = open.includes(stage)
  if (isUnheld && deeds[act]) return { act, isDoubtful: true }
  // What only resembles a yes agrees to nothing.
  if (act === 'yes' && stage === 'proposal')
    return sure < sureEnough && besideYes.includes(other) ? { act: other, isDoubtful: false } : { act, isDoubtful: true }
  const asked = stage === 'ask' && reading.slots === undefined ? decideWhileAsked(reading, isTextAsked) : undefined
  if (asked) return asked
  if (act === 'declined' && sure < harmFrom) return decide({ ...reading, act: other }, { stage, hasJob, hasEnded: false })
  if (stage === 'choices' && sure < sureEnough && !atStake.includes(act)) return { act: 'pick', isDoubtful: false }
  if (act === 'cancel' && isOpen && !hasJob) return { act: 'no', isDoubtful: false }
  if (act === 'no' && !isOpen && hasJob && other === 'cancel' && sure < sureEnough) return { act: 'cancel', isDoubtful: false }
  const hasAny = hasJob || hasEnded
  if (!isOpen && sure < taskBelow && !(hasJob && act === 'cancel'))
    return hasAny && needJob.includes(act) ? { act, isDoubtful: false, isHardly: true } : { act: 'task', isDoubtful: false }
  const isFirst = stage === 'none' && !hasAny
  if (isFirst && needJob.includes(act) && other === 'task' && sure < surely) return { act: 'task', isDoubtful: false }
  if (isFirst && sure < surelyFrom(act, other)) return { act, isDoubtful: false, isHardly: true }
  const isRisky = atStake.includes(act) || (act === 'no' && other === 'yes')
  return { act, isDoubtful: stage === 'proposal' && isRisky && sure < sureEnough }
}

const meanings: Partial<Record<Act, string>> = {
  yes: 'that I hire it as proposed',
  no: 'that I do not hire it',
  cancel: 'that I cancel',
  change: 'a change of the proposal',
  task: 'another task',
  pay: 'a payment for another address',
  about: 'a question about the proposal',
  declined: 'something that I do not do',
}

/** Asks which of two readings is meant, or for the word itself. @param hiring the open terms in words: "hire Ada for 0.1 USDC" */
export const toDoubt = ({ act, other, isUnheld }: TurnReading, hiring = ''): string =>
  ((act === 'yes' || act === other) && hiring && `Shall I ${hiring}?`) ||
  (isUnheld && deeds[act]) ||
  `I am not sure what you mean: ${meanings[act] ?? 'something else'}, or ${meanings[other] ?? 'something else'}? ` +
    'Say yes to hire, no to leave it, or tell me what to change.'
