import { toMandateLeftText } from './consents.ts'

/** Texts of a plan that runs or has ended. */
export const planChanged = 'The plan changed after your yes, so it did nothing.'
export const planLapsed = 'The plan was no longer open, so your yes did nothing.'

type Progress = { number: number; state: string; offeringName: string; agentHandle: string }

export const toStepText = ({ number, state, offeringName, agentHandle }: Progress, reason = ''): string =>
  `Step ${number}, “${offeringName}” by ${agentHandle}: ${state}.${reason ? ` ${reason}` : ''}`

export const toPlanProgressText = (steps: readonly Progress[]): string =>
  ['The plan is under way:', ...steps.map(it => `${it.number}. “${it.offeringName}” by ${it.agentHandle}: ${it.state}`)].join(
    '\n',
  )

type Bill = { done: number; steps: number; total: string; paid: string; refunded: string; unspent: string }

/** The bill of a plan. Amounts are decimal USDC. What came back from escrow may have been paid to a standby afterwards. */
export const toBillText = ({ done, steps, total, paid, refunded, unspent }: Bill): string =>
  [
    `${done} of ${steps} steps are done. Of ${total} USDC: ${paid} paid, ${unspent} not spent.`,
    ...(refunded === '0' ? [] : [`${refunded} USDC came back from escrow.`]),
  ].join(' ')

/** Why a balance does not suffice. @param held decimal USDC that plans under way may still spend */
export const toHeldText = (held: string): string => `Of it, ${held} USDC are kept for your plans under way.`

export const toPlanConfirmedText = (steps: number, total: string, mandate?: Parameters<typeof toMandateLeftText>[0]): string =>
  [`Confirmed: ${steps} steps for at most ${total} USDC.`, mandate && toMandateLeftText(mandate)].filter(Boolean).join(' ')

export const toSkippedText = (number: number, of: 'left out' | 'started' | 'unknown'): string =>
  ({
    'left out': `Step ${number} is left out, and costs nothing. What needs it is left out, too.`,
    started: `Step ${number} has started or is over, so it stays as it is.`,
    unknown: `The plan has no step ${number}.`,
  })[of]

/** A value of a plan that has its yes. */
export const toFixedText = (number: number): string =>
  `The plan has your yes, so its values stay. “Skip ${number}” leaves step ${number} out if it has not started; then ask for it anew.`

/** A plan that its user stopped. @param taken number of jobs that were taken back */
export const cancelledPlanText = (taken: number): string =>
  [
    'I stopped the plan: no further step starts.',
    taken > 0 && `${taken} ${taken === 1 ? 'job is' : 'jobs are'} taken back.`,
    'What an agent has taken goes on until it is delivered or its time is over.',
  ]
    .filter(Boolean)
    .join(' ')

/** Why a job of a step is taken back: its standby does it in the time that is left. */
export const notTaken = 'The agent had not taken the job at half of its time, so the standby gets it.'

/** Why a step is not escrowed: the result that it takes is no valid input. */
export const resultTooLong = 'The result of an earlier step is longer than an input may be.'
export const resultUnfit = 'The result of an earlier step does not fit what this agent takes.'
