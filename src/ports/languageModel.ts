import type { Finding } from '../domain/jobs/acceptance.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Situation } from '../domain/runs/acts.ts'
import type { TurnCall } from '../domain/runs/turnCall.ts'
import type { Asking } from './model.ts'

/** A listing that a model may point at, by its place in the list. */
export type TurnCandidate = {
  name: string
  agent: string
  description: string
  examples: string[]
  price: string
  slaMinutes: number
  requirement: JsonObject
  /** How it breaks the user's limits; absent when it keeps them. */
  beyond?: string | undefined
}

/** A job of the conversation. Its place in the list is its name. A model is shown its deliverable when it asks for it. */
export type TurnJob = { offering: string; agent: string; state: string; price: string; deliverable?: string | undefined }

/** The offering whose question or proposal is open, or one step of an open plan. */
export type TurnOpen = {
  name: string
  agent: string
  description: string
  price: string
  slaMinutes: number
  requirement: JsonObject
  input: JsonObject
  questions: string[]
}

/** Messages of the conversation, its jobs, and the last deliverable. */
export type TurnTalk = {
  messages: { by: 'user' | 'butler'; text: string }[]
  jobs: TurnJob[]
  deliverable?: string | undefined
}

/**
 * Everything that a model sees of a turn. `text` is the newest message; material that it quotes is replaced by marks such as
 * `[text 1]`. `looked` is what the model looked up before in the same turn, and what was found.
 */
export type TurnQuestion = {
  /** Epoch ms. */
  now: number
  timeZone?: string | undefined
  text: string
  situation: Situation
  talk: TurnTalk
  open?: TurnOpen | undefined
  steps?: TurnOpen[] | undefined
  /** How many of the candidates, from the first, are the offerings that the user was shown to pick from. */
  shown: number
  candidates: TurnCandidate[]
  /** The material that the marks stand for, in their order. A model sees the beginning of each. */
  texts?: string[] | undefined
  looked: { tool: string; query: string; found: string }[]
}

/** The answer of a model: what it says, and the tools that it calls. Nothing in it was checked. */
export type TurnAnswer = { calls: TurnCall[]; words: string }

/**
 * A language model. It reads and points; code checks, pays and renders.
 * @throws Problem model-unavailable
 */
export type LanguageModel = {
  /** `<provider>:<model>`, or `rules` without a model; shown in answers. */
  id: string
  /** Reads a message in one call. */
  turn(of: TurnQuestion, asking?: Asking): Promise<TurnAnswer>
  /** The same text in another language (ISO 639 code), with the same figures and names, or the text itself. */
  phrase(of: { text: string; language: string }, asking?: Asking): Promise<string>
  /** One finding per wish, in the same order. The model has no tools, and its answer alone moves no money. */
  judge(
    of: { task: string; wishes: string[]; deliverable: string },
    asking?: Asking,
  ): Promise<Pick<Finding, 'outcome' | 'evidence'>[]>
}
