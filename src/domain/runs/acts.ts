import { z } from 'zod'
import { toOwnUrls } from '../text/ownWords.ts'

/**
 * The possible intents of a user's message. The set is closed: code decides whether an act fits the situation, and performs it.
 */
export const acts = [
  'task',
  'answer',
  'change',
  'pick',
  'yes',
  'no',
  'status',
  'cancel',
  'refund',
  'appeal',
  'spending',
  'balance',
  'jobs',
  'about',
  'price',
  'recommend',
  'capabilities',
  'how-it-works',
  'mandates',
  'withdraw',
  'pay',
  'greeting',
  'thanks',
  'declined',
] as const
export const act = z.enum(acts)
export type Act = z.infer<typeof act>

/** How a message was classified: an act, a language that is not supported, or nothing that fits. */
export const turnAct = z.enum([...acts, 'language', 'none'])
export type TurnAct = z.infer<typeof turnAct>

/**
 * What waits for the user: nothing, a question, a proposal, or offerings to choose from. If nothing waits, the subject of the
 * last answer: offerings, mandates, or a proposal that the user ignored.
 */
export const stages = ['none', 'ask', 'proposal', 'choices', 'offers', 'mandates', 'left'] as const
export type Stage = (typeof stages)[number]

/** The context in which a message is classified, from the rows of its conversation. */
export type Situation = { stage: Stage; hasJob: boolean; hasEnded: boolean }

/**
 * The classification of a message. `other` is the second most likely act. `sure` is the probability of the first, from 0 to 1.
 */
export type Reading = { act: Act; sure: number; other: Act }

const everywhere = stages
const open = ['ask', 'proposal', 'choices'] as const

/** The stages in which each act is possible. With `isAfterJob`, it is also possible whenever a job is running or has ended. */
export const meantIn: Record<Act, { stages: readonly Stage[]; isAfterJob?: true }> = {
  task: { stages: everywhere },
  answer: { stages: ['ask'] },
  change: { stages: [...open, 'offers', 'left'], isAfterJob: true },
  pick: { stages: ['choices', 'offers'] },
  yes: { stages: ['proposal', 'choices', 'none', 'mandates', 'left', 'offers'] },
  no: { stages: everywhere },
  status: { stages: everywhere },
  cancel: { stages: everywhere },
  refund: { stages: everywhere },
  appeal: { stages: everywhere },
  spending: { stages: everywhere },
  balance: { stages: everywhere },
  jobs: { stages: everywhere },
  about: { stages: [...open, 'offers', 'left'], isAfterJob: true },
  price: { stages: everywhere },
  recommend: { stages: everywhere },
  capabilities: { stages: everywhere },
  'how-it-works': { stages: everywhere },
  mandates: { stages: everywhere },
  withdraw: { stages: everywhere },
  pay: { stages: everywhere },
  greeting: { stages: everywhere },
  thanks: { stages: everywhere },
  declined: { stages: everywhere },
}

export const canBeMeant = (it: Act, { stage, hasJob, hasEnded }: Situation): boolean => {
  const { stages: possible, isAfterJob } = meantIn[it]
  return possible.includes(stage) || (isAfterJob === true && (hasJob || hasEnded))
}

/** Whether a message can be an act in a situation. Only a message that names an address in the user's own words can pay it. */
export const canBeSaid = (it: Act, text: string, situation: Situation): boolean =>
  canBeMeant(it, situation) && (it !== 'pay' || toOwnUrls(text).length > 0)
