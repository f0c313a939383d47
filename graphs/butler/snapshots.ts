import { z } from 'zod'
import { sayIn } from '../../src/domain/phrases/sayIn.ts'
import { turnAct } from '../../src/domain/runs/acts.ts'
import { choice, question } from '../../src/domain/runs/question.ts'
import { payingText, toLaterText, toProgressText } from '../../src/domain/runTexts/butler.ts'
import { proposedTerms, toTermsReminder, toTermsText } from '../../src/domain/x402/purchaseProposal.ts'
import type { RunSnapshot } from '../../src/ports.ts'

/** What a paused run waits for. */
export const stop = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('question'), questions: z.array(question), lead: z.string().default('') }),
  z.object({ kind: z.literal('choices'), choices: z.array(choice), words: z.string() }),
  z.object({ kind: z.literal('proposal'), proposal: proposedTerms }),
  z.object({ kind: z.literal('delivery'), jobId: z.string() }),
  z.object({ kind: z.literal('end'), jobId: z.string() }),
  z.object({ kind: z.literal('payment') }),
  /** Steps of a plan, with their states when it was advanced last. */
  z.object({ kind: z.literal('plan'), seen: z.string(), words: z.string() }),
])
export type Stop = z.infer<typeof stop>

/** What the values of a thread say about its run. */
export const known = z.object({
  content: z.string().default(''),
  notice: z.string().default(''),
  language: z.string().default(''),
  isAnswered: z.boolean().default(false),
  isBought: z.boolean().default(false),
  isPlanOver: z.boolean().default(false),
  jobId: z.string().optional(),
  delivered: z.boolean().default(false),
  act: turnAct.optional(),
  choices: z.array(choice).default([]),
  next: z.array(z.string()).default([]),
  unplanned: z.array(z.string()).default([]),
})

/** No question, proposal or choice is open. */
const resting = { interruptId: undefined, questions: undefined, proposal: undefined, choices: undefined }

const turnOf = ({ act, next, unplanned }: { act?: RunSnapshot['act']; next: string[]; unplanned: string[] }) => ({
  act,
  ...(unplanned.length > 0 && { unplanned }),
  ...(next.length > 0 && { nextTasks: next.map(text => ({ text, state: 'waiting' as const })) }),
})

/** The run as others see it while it waits at a stop. */
export const snapshotAt = (at: Stop, interruptId: string, values: unknown): RunSnapshot => {
  const { jobId, notice, isAnswered, delivered, language, ...rest } = known.parse(values)
  const say = (text: string) => sayIn(text, language).text
  const { next } = rest
  const later = next.length > 0 ? toLaterText(next) : ''
  const noticed = (answer: string) => say([notice, answer, later].filter(Boolean).join('\n'))
  const turn = { ...resting, ...turnOf(rest), jobId }
  if (at.kind === 'question')
    return {
      ...turn,
      state: 'awaiting-input',
      interruptId,
      answer: noticed([...(at.lead ? [at.lead] : []), ...at.questions.map(it => it.words)].join('\n')),
      questions: at.questions,
    }
  if (at.kind === 'choices')
    return { ...turn, state: 'awaiting-input', interruptId, answer: noticed(at.words), choices: at.choices }
  if (at.kind === 'proposal')
    return {
      ...turn,
      state: 'awaiting-confirmation',
      interruptId,
      answer: noticed(isAnswered ? toTermsReminder(at.proposal) : toTermsText(at.proposal)),
      proposal: at.proposal,
    }
  if (at.kind === 'plan') return { ...turn, state: 'awaiting-job', answer: at.words }
  if (at.kind === 'payment') return { ...turn, state: 'awaiting-job', answer: say(payingText) }
  const ended = delivered ? 'judged' : 'undelivered'
  return { ...turn, state: 'awaiting-job', answer: say(toProgressText(at.kind === 'end' ? ended : 'working')) }
}

/** The run after its last node: it has answered. */
export const snapshotAtEnd = (values: unknown): RunSnapshot => {
  const { content: answer, jobId, choices, ...rest } = known.parse(values)
  return { ...resting, ...turnOf(rest), state: 'completed', answer, jobId, choices }
}
