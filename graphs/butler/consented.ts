import { type Act, canBeMeant, type Situation } from '../../src/domain/acts.ts'
import { readConsent } from '../../src/domain/consent/readConsent.ts'
import { type OpenTerms, toOffer } from '../../src/domain/purchaseProposal.ts'
import type { TurnReading } from '../../src/ports.ts'

/** Acts that would change something or begin something else. */
const doing: readonly Act[] = ['change', 'task', 'pay', 'pick']

/** Whether a message of nothing but agreements and courtesies, such as "thanks", was taken for a change or a task. */
export const isUnclear = (text: string, act: Act, terms: OpenTerms | undefined): boolean =>
  terms !== undefined && doing.includes(act) && readConsent(text, toOffer(terms)) === 'unclear'

type Heard = { situation: Situation; terms: OpenTerms | undefined; by: string }

/** Reads a message that is a yes, a no or a cancel by its form, whatever a model would make of it. Undefined for every other message. */
export const readAnswer = (text: string, { situation, terms, by }: Heard): TurnReading | undefined => {
  const { stage, hasJob } = situation
  const consent = readConsent(text, terms && toOffer(terms))
  const plain = (act: 'yes' | 'no' | 'cancel'): TurnReading => ({ act, sure: 1, other: act, by, isPlain: true })
  if (consent === 'yes') return canBeMeant('yes', situation) ? plain('yes') : undefined
  if (consent === undefined || consent === 'unclear') return undefined
  // A question may be answered with "no", and with a job under way a "cancel" may mean either.
  const isOpen = stage === 'proposal' || stage === 'choices'
  if (consent === 'cancel' && hasJob) return isOpen ? undefined : plain('cancel')
  return isOpen ? plain('no') : undefined
}
