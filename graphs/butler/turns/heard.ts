import type { JsonObject } from '../../../src/domain/json.ts'
import type { Act, Situation } from '../../../src/domain/runs/acts.ts'
import type { TurnReading } from '../../../src/ports.ts'
import type { ButlerDeps, Recalled } from '../deps.ts'
import type { ButlerState, Called, Update } from '../state.ts'

/** A message with the act that was read in it. `requirement` is that of the offering whose question or proposal is open. */
export type Heard = {
  text: string
  reading: TurnReading
  situation: Situation
  recalled: Recalled
  requirement?: JsonObject | undefined
  /** What a model read in it. */
  called?: Called | undefined
}

/** Handles messages of one act: returns the changed state, and the node that comes next. */
export type Step = (deps: ButlerDeps, state: ButlerState, of: Heard) => Promise<Update> | Update

export const answer = (act: Act, words: string): Update => ({ act, to: 'answer', content: words })

/** Clears everything that was derived from an earlier task. */
export const unread = {
  found: [],
  missed: [],
  pick: undefined,
  input: {},
  questions: [],
  open: {},
  proposal: undefined,
  resource: undefined,
  purchase: undefined,
  drafts: [],
  unplanned: [],
  planned: undefined,
  choices: [],
  stage: 'none',
  isList: false,
  asks: {},
  isAmended: false,
  instead: undefined,
} satisfies Update
