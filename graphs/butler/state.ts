import { StateSchema } from '@langchain/langgraph'
import { z } from 'zod'
import { givenFile } from '../../src/domain/files/namedFile.ts'
import { json, jsonObject } from '../../src/domain/json.ts'
import { plan, stepPurchase } from '../../src/domain/plans/plan.ts'
import { reference } from '../../src/domain/plans/planStates.ts'
import { stages, turnAct } from '../../src/domain/runs/acts.ts'
import { proposal } from '../../src/domain/runs/proposal.ts'
import { purchaseProposal } from '../../src/domain/runs/purchaseTerms.ts'
import { choice, question } from '../../src/domain/runs/question.ts'
import { tool } from '../../src/domain/runs/turnCall.ts'

/** The keys of an offering; its texts and prices stay in the database. */
const offeringRef = z.object({
  agentId: z.string(),
  offeringId: z.string(),
  coverage: z.number(),
  /** Search score, from 0 to 1. */
  score: z.number().optional(),
  /** False if the agent was never online. */
  hasConnected: z.boolean().optional(),
})

/** One call of a model, checked. `input` and `concluded` fit the first of `picks`, or what is open. */
const part = z.object({
  tool,
  picks: z.array(offeringRef),
  input: jsonObject,
  /** Names of inputs that the user did not say, and that follow from what was said. */
  concluded: z.array(z.string()),
  /** The words of the user from which they follow. */
  evidence: z.array(z.string()).default([]),
  /** Questions of the model in the user's language, by field; empty where its words cannot be said. */
  asks: z.record(z.string(), z.string()),
})

/** One of several calls: for a task of the message in its words, or for a step of the open plan. */
const ofSeveral = part.extend({
  task: z.string(),
  limits: z.record(z.string(), z.string()),
  step: z.number().int(),
  isLeftOut: z.boolean(),
})

/** What a model read in a message. `words` may be said to the user. */
const called = part.extend({
  /** Nothing that the model saw fits the task. */
  isNone: z.boolean(),
  /** The task in English, as the model searched for it. */
  query: z.string(),
  wishes: z.array(z.string()),
  words: z.string(),
  /** A stranger's text, such as a deliverable, stood before the model. */
  isStrange: z.boolean(),
  /** What of the open offering is asked about. */
  topic: z.string().default(''),
  /** All calls, where there are several tasks or steps. */
  several: z.array(ofSeveral).default([]),
})

/** A resource that a task pays for, with the JSON that is sent to it. */
const wantedResource = z.object({ url: z.string(), body: json.optional() })

/** A task of a message as it is planned. `at` is its place among the tasks, and `takes` names earlier places. */
const draft = z.object({
  at: z.number().int(),
  words: z.string(),
  takes: z.array(z.object({ from: z.number().int(), words: z.string() })),
  pick: offeringRef.optional(),
  reason: z.string().default(''),
  /** Further offerings that do it, best first, for a standby. */
  others: z.array(offeringRef).default([]),
  standby: z.object({ ref: offeringRef, values: jsonObject, references: z.record(z.string(), reference) }).optional(),
  said: z.array(z.string()).default([]),
  values: jsonObject.default({}),
  /** The input as it was read together with those of the other tasks. */
  read: jsonObject.optional(),
  references: z.record(z.string(), reference).default({}),
  questions: z.array(question).default([]),
  open: z.record(z.string(), z.tuple([z.string(), z.string()])).default({}),
  asks: z.record(z.string(), z.number().int()).default({}),
  leftOut: z.array(z.string()).default([]),
  /** Its last words change known values. */
  isChanged: z.boolean().default(false),
  /** What a model read for it in the newest message. */
  called: ofSeveral.optional(),
  /** The task pays for a resource, with the terms that its seller asked. */
  resource: wantedResource.optional(),
  purchase: stepPurchase.optional(),
})

/** The state of a run: small plain JSON with ids and decimal text. It contains no bigint and no deliverable. */
export const State = new StateSchema({
  runId: z.string(),
  chainId: z.number().int(),
  /** The agent that the user called directly; no other agent is searched. */
  target: z.string().optional(),
  /** The user's messages of this run, oldest first. */
  said: z.array(z.string()).default([]),
  /** Number of messages read so far. It identifies each turn in the run's log. */
  turn: z.number().int().default(0),
  /** The reply to an open question or proposal, until it is read. */
  heard: z
    .object({ text: z.string(), digest: z.string(), isLapsed: z.boolean(), mayAgree: z.boolean(), interruptId: z.string() })
    .extend({ files: z.array(givenFile).optional() })
    .optional(),
  /** The files of the request, in order. Their bytes stay in the store. */
  files: z.array(givenFile).default([]),
  /** The user's newest message, unchanged. */
  words: z.string().default(''),
  /** ISO 639 code of the language that a model reads in the newest words; empty without a model. */
  language: z.string().default(''),
  /** Epoch ms at which this turn no longer waits for a model. */
  until: z.number().default(0),
  /** What a model answered to the newest message, checked: one call is made, and every node of the turn reads it here. */
  called: called.optional(),
  /** The user's wishes about the result, in the user's own words. */
  wishes: z.array(z.string()).default([]),
  /** The user's time zone (IANA), where it is known. */
  timeZone: z.string().optional(),
  /** Whether another message was answered while a question or proposal stays open. */
  isAnswered: z.boolean().default(false),
  /** What is open for the user in this run, such as a question or a proposal. */
  stage: z.enum(stages).default('none'),
  /** The act of the newest message. */
  act: turnAct.optional(),
  /** The node that handles the newest message. */
  to: z.enum(['answer', 'search', 'quote', 'fill', 'plan', 'consent', 'reply']).default('search'),
  /** The act to answer if the market has no matching offering. */
  instead: turnAct.optional(),
  /** The offerings to pick from, or those that the answer describes. */
  choices: z.array(choice).default([]),
  /** An agent that the user does not want. */
  avoid: z.string().optional(),
  /** The text that shows the offerings to pick from. */
  offered: z.string().default(''),
  /** Whether to list several offerings and propose none. */
  isList: z.boolean().default(false),
  /** Further tasks in the same message, in order. */
  next: z.array(z.string()).default([]),
  task: z.string().default(''),
  /** The full text of the task, for search and choice. */
  want: z.string().default(''),
  /** Whether `input` holds the inputs of an earlier offering that the newest message changes. */
  isAmended: z.boolean().default(false),
  /** The text before the questions: the offering, its price and the known inputs. */
  lead: z.string().default(''),
  /** How often the user was asked for each value that is still missing, by offering and field. */
  asks: z.record(z.string(), z.number().int()).default({}),
  maxPrice: z.string().optional(),
  agent: z.string().optional(),
  /** Time limit of the task, in minutes from the message that set it. */
  withinMinutes: z.number().int().optional(),
  category: z.string().optional(),
  found: z.array(offeringRef).default([]),
  /** Offerings outside the user's limits, each with a text that says what exceeds them. */
  missed: z.array(offeringRef.extend({ gap: z.string() })).default([]),
  pick: offeringRef.optional(),
  reason: z.string().default(''),
  input: jsonObject.default({}),
  questions: z.array(question).default([]),
  /** The two possible readings of each ambiguous input, until the user chooses one. */
  open: z.record(z.string(), z.tuple([z.string(), z.string()])).default({}),
  proposal: proposal.optional(),
  /** The tasks of a message with several, and those that nobody here does. */
  drafts: z.array(draft).default([]),
  unplanned: z.array(z.string()).default([]),
  /** The words of steps that the user left out of the open plan. */
  skipped: z.array(z.string()).optional(),
  /** The plan of several hires that waits for its yes or runs. */
  planned: plan.optional(),
  /** The most USDC that all steps of the plan may cost, as its user said, as decimal text. */
  most: z.string().optional(),
  /** The number of the step that this run is in the plan of another. */
  step: z.number().int().optional(),
  /** The states of the plan's steps when it was advanced last. */
  seen: z.string().default(''),
  /** What is said while the plan runs. */
  progress: z.string().default(''),
  isPlanOver: z.boolean().default(false),
  /** The resource that the user wants to pay for, and its proposed purchase. */
  resource: wantedResource.optional(),
  purchase: purchaseProposal.optional(),
  /** Whether the purchase has its consent and is being paid. */
  isBought: z.boolean().default(false),
  /** Number of proposals written so far. It identifies each proposal in the run's log. */
  round: z.number().int().default(0),
  /** The offering proposed before the user asked for a change. It is proposed again if the search finds nothing else. */
  before: offeringRef.optional(),
  /** Digest of the proposal that a change replaced. */
  voided: z.string().default(''),
  /** Text shown before the next question or proposal, such as why a yes did nothing. */
  notice: z.string().default(''),
  /** Whether a proposal was shown to the user in this run. From then on, only a new yes can hire, and no mandate. */
  asked: z.boolean().default(false),
  /** Whether the user's hire sentence already agrees to the proposal. */
  ordered: z.boolean().default(false),
  decision: z.enum(['yes', 'no', 'change', 'lapsed']).optional(),
  jobId: z.string().optional(),
  /** Whether the deliverable arrived; false if it can no longer arrive. */
  delivered: z.boolean().default(false),
  verdict: z.object({ pass: z.boolean(), errors: z.array(z.string()), doubted: z.boolean().optional() }).optional(),
  /** Number of the attempt whose deliverable was judged. */
  judged: z.number().int().default(0),
  revised: z.boolean().default(false),
  /** The answer shown to the user at the end. */
  content: z.string().default(''),
})
export type Draft = z.infer<typeof draft>
export type Called = z.infer<typeof called>
export type CalledPart = z.infer<typeof part>
export type ButlerState = typeof State.State
export type Update = typeof State.Update
