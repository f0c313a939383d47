import { z } from 'zod'
import { namedFile } from '../domain/files/namedFile.ts'
import { finding } from '../domain/jobs/acceptance.ts'
import { jsonObject } from '../domain/json.ts'
import { usedUnits } from '../domain/offerings/usagePrice.ts'
import { turnAct } from '../domain/runs/acts.ts'
import { nextTask } from '../domain/runs/nextTask.ts'
import { proposal } from '../domain/runs/proposal.ts'
import { purchaseProposal } from '../domain/runs/purchaseTerms.ts'
import { choice, question } from '../domain/runs/question.ts'
import { runEventKind } from '../domain/runs/runEvent.ts'
import { jobDeadlines, time } from './job.ts'
import { planRecord } from './plan.ts'

export const runRecord = z.object({
  run_id: z.string(),
  conversation_id: z.string(),
  chain_id: z.number(),
  task: z.string(),
  state: z.enum(['working', 'awaiting-input', 'awaiting-confirmation', 'awaiting-job', 'completed', 'failed']),
  content: z.string().describe('Text for the user: a question, a proposal or a result'),
  questions: z
    .array(question)
    .optional()
    .describe('The open questions, one per missing field; present while the run waits for an answer'),
  act: turnAct.optional().describe('The recognised intent of the newest user message; none when it was not recognised'),
  choices: z.array(choice).optional().describe('Offerings to choose from; present while the run waits for the choice'),
  next_tasks: z
    .array(nextTask)
    .optional()
    .describe('Further tasks of the message; each is proposed when the one before has ended'),
  proposal: proposal.optional().describe('Present while the run waits for a yes or no; confirm with its digest'),
  purchase: purchaseProposal
    .optional()
    .describe('Present while the run waits for a yes or no to a payment by x402; confirm with its digest'),
  plan: planRecord
    .optional()
    .describe('Several tasks with one total and one yes; confirm with its digest. While it is open, proposal is absent'),
  unplanned: z.array(z.string()).optional().describe('Tasks of the message that nobody here does, beside a single proposal'),
  job: z
    .object({
      job_id: z.string(),
      state: z.string(),
      agent_id: z.string(),
      offering_id: z.string(),
      amount: z.string(),
      deliverable: z.string(),
      deliverable_chars: z.number().describe('Its length, also where it is left out'),
      reason: z.string(),
      used: usedUnits
        .extend({ unit: z.string(), counting: z.string() })
        .optional()
        .describe('The units of a usage price; amount is the most that they cost'),
      mandate_id: z.string().optional().describe('The mandate that allowed the hire, when the user was not asked'),
      deadlines: jobDeadlines,
    })
    .optional(),
  verdict: z
    .object({
      pass: z.boolean(),
      criteria: z.array(finding),
      files: z.array(namedFile).optional().describe('The files of the deliverable, with their hashes'),
    })
    .optional()
    .describe('The checks of the last deliverable'),
  created_at: z.string(),
  pruned_at: time.optional().describe('The events, messages and deliverable of the run were removed then'),
})

export type RunRecord = z.infer<typeof runRecord>

export const runEventRecord = z.object({
  run_id: z.string(),
  seq: z.number(),
  type: runEventKind,
  summary_text: z.string(),
  data: jsonObject,
  timestamp: z.string(),
})
export type RunEventRecord = z.infer<typeof runEventRecord>
