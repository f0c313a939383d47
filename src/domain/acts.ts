import { z } from 'zod'

/** What a message of a user can be. A closed set: code decides whether an act fits the situation, and does it. */
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
  'greeting',
  'thanks',
  'declined',
] as const
export const act = z.enum(acts)
export type Act = z.infer<typeof act>

/** What a turn was taken as: an act, a language that is not understood, or nothing that fits. */
export const turnAct = z.enum([...acts, 'language', 'none'])
export type TurnAct = z.infer<typeof turnAct>

/**
 * What stands open for the user: nothing, a question, a proposal, or offerings to pick from. Where nothing does: what the last
 * answer was about, which is offerings, mandates, or a proposal that the user left.
 */
export const stages = ['none', 'ask', 'proposal', 'choices', 'offers', 'mandates', 'left'] as const
export type Stage = (typeof stages)[number]

/** What a message is read against, from the rows of its conversation. */
export type Situation = {
  stage: Stage
  /** A job of the conversation is under way. */
  hasJob: boolean
  /** A job of the conversation has ended. */
  hasEnded: boolean
}

/** What a message was read as; `other` is the next likely act. `sure` is a probability. */
export type Reading = { act: Act; sure: number; other: Act }

const everywhere = stages
const open = ['ask', 'proposal', 'choices'] as const

/** The stages in which an act can be meant. `isAfterJob`: also wherever a job is under way or has ended. */
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
  greeting: { stages: everywhere },
  thanks: { stages: everywhere },
  declined: { stages: everywhere },
}

/** Whether an act can be meant in a situation. */
export const canBeMeant = (it: Act, { stage, hasJob, hasEnded }: Situation): boolean => {
  const { stages: possible, isAfterJob } = meantIn[it]
  return possible.includes(stage) || (isAfterJob === true && (hasJob || hasEnded))
}
