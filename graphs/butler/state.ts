import { StateSchema } from '@langchain/langgraph'
import { z } from 'zod'
import { stages, turnAct } from '../../src/domain/acts.ts'
import { choice } from '../../src/domain/choice.ts'
import { jsonObject } from '../../src/domain/json.ts'
import { proposal } from '../../src/domain/proposal.ts'
import { question } from '../../src/domain/question.ts'

/** An offering by its keys: texts and prices stay in their rows. */
const offeringRef = z.object({
  ...{ agentId: z.string(), offeringId: z.string(), coverage: z.number() },
  /** Share (0–1) of the best conceivable match, as the search found it. */
  score: z.number().optional(),
  /** False when its agent was never seen alive. */
  hasConnected: z.boolean().optional(),
})

/** What is known of a run. Small plain JSON: ids and decimal text, never a bigint, never a deliverable. */
export const State = new StateSchema({
  runId: z.string(),
  chainId: z.number().int(),
  /** The agent that the user called directly: no other is looked for. */
  target: z.string().optional(),
  /** The user's messages of this run, oldest first. */
  said: z.array(z.string()).default([]),
  /** Messages that were read so far: names each turn in the run's log. */
  turn: z.number().int().default(0),
  /** What was said to what stands open, until it is read. */
  heard: z
    .object({ text: z.string(), digest: z.string(), isLapsed: z.boolean(), mayAgree: z.boolean(), interruptId: z.string() })
    .optional(),
  /** The newest words of the user, as they were said. */
  words: z.string().default(''),
  /** ISO 639 code of the language that a model reads in the newest words; empty without a model. */
  language: z.string().default(''),
  /** Epoch ms at which this turn no longer waits for a model. */
  until: z.number().default(0),
  /** Values for the open form that a model reads in the newest words. */
  given: jsonObject.default({}),
  /** A question was answered while something else stands open. */
  isAnswered: z.boolean().default(false),
  /** What stands open for the user in this run. */
  stage: z.enum(stages).default('none'),
  /** What the newest message was read as. */
  act: turnAct.optional(),
  /** Where the newest message leads. */
  to: z.enum(['answer', 'search', 'fill', 'consent', 'reply']).default('search'),
  /** What the message is answered as when no offering is surely meant by it. */
  instead: turnAct.optional(),
  /** Offerings that are shown to pick from, or that the answer is about. */
  choices: z.array(choice).default([]),
  /** An agent that the user wants to be without. */
  avoid: z.string().optional(),
  /** The offerings to pick from, as they are shown. */
  offered: z.string().default(''),
  /** Several offerings are to be shown, and none proposed. */
  isList: z.boolean().default(false),
  /** Tasks that were said besides, in their order. */
  next: z.array(z.string()).default([]),
  task: z.string().default(''),
  /** All words of the task, for search and choice. */
  want: z.string().default(''),
  /** The input is known from before, and the newest words change it. */
  isAmended: z.boolean().default(false),
  /** Who asks, for how much, and what is known, before the questions. */
  lead: z.string().default(''),
  /** How often the open fields were asked for. */
  times: z.number().int().default(0),
  maxPrice: z.string().optional(),
  agent: z.string().optional(),
  /** How long it may take, in minutes from when it was said. */
  withinMinutes: z.number().int().optional(),
  category: z.string().optional(),
  found: z.array(offeringRef).default([]),
  /** What was found beyond what the user wished, each with its gap in words. */
  missed: z.array(offeringRef.extend({ gap: z.string() })).default([]),
  pick: offeringRef.optional(),
  reason: z.string().default(''),
  input: jsonObject.default({}),
  questions: z.array(question).default([]),
  /** The two readings of a field that the user left open, until they say which. */
  open: z.record(z.string(), z.tuple([z.string(), z.string()])).default({}),
  proposal: proposal.optional(),
  /** Proposals written so far: names each round in the run's log. */
  round: z.number().int().default(0),
  /** What was proposed before the user wanted a change: it stands when the change leads nowhere. */
  before: offeringRef.optional(),
  /** Digest of the proposal that a change of terms made void. */
  voided: z.string().default(''),
  /** Why a yes hired nothing, or a change changed nothing: said before what is proposed next. */
  notice: z.string().default(''),
  /** A proposal was put to the user: no mandate and no earlier word speaks for them in this run any more. */
  asked: z.boolean().default(false),
  /** The user's own hire sentence is the yes to what is proposed. */
  ordered: z.boolean().default(false),
  decision: z.enum(['yes', 'no', 'change', 'lapsed']).optional(),
  jobId: z.string().optional(),
  /** How the job stands after its deliverable came or never came. */
  delivered: z.boolean().default(false),
  verdict: z.object({ pass: z.boolean(), errors: z.array(z.string()), doubted: z.boolean().optional() }).optional(),
  /** The attempt whose deliverable the verdict is about: each has one. */
  judged: z.number().int().default(0),
  revised: z.boolean().default(false),
  /** What the user reads at the end. */
  content: z.string().default(''),
})
export type ButlerState = typeof State.State
export type Update = typeof State.Update
