import type { Situation } from '../../../src/domain/runs/acts.ts'
import { takesPlainText } from '../../../src/domain/schemas/testInput.ts'
import type { TurnReading } from '../../../src/ports.ts'
import { readByForm } from '../byForm.ts'
import type { ButlerDeps, Recalled } from '../deps.ts'
import type { ButlerState } from '../state.ts'
import { clockOf, wallClock } from '../zones.ts'
import { callModel } from './callModel.ts'
import { isSettled } from './merge.ts'
import { readCall } from './readCall.ts'

type Turn = { text: string; situation: Situation; recalled: Recalled; isTextAsked: boolean; until: number }

/**
 * Reads a message: by a closed grammar, which asks no model; else by the rules; and, where there is a model, by its one call as
 * well. What both read is merged, and the call is kept for the nodes after this one.
 */
export const readTurn = async (
  deps: ButlerDeps,
  state: ButlerState,
  { isTextAsked, ...heard }: Turn,
): Promise<{ read: TurnReading; called: ButlerState['called'] }> => {
  const { text, situation } = heard
  const { model, rules } = deps
  const byForm = readByForm(text, {
    situation,
    terms: state.proposal ?? state.purchase ?? state.planned,
    by: model.id,
    isTextAsked,
    isFileAsked: heard.situation.stage === 'ask' && state.questions.some(it => it.form?.format === 'file'),
  })
  if (byForm) return { read: byForm, called: undefined }
  const reading = await rules.read({ text, situation })
  if (model.id === rules.id || isSettled(reading, text, situation))
    return { read: { ...reading, by: model.id }, called: undefined }
  const now = wallClock(deps.now(), heard.recalled.timeZone)
  const wish = await rules.understand(text, clockOf(text, deps.now(), heard.recalled.timeZone))
  const isTask = reading.act === 'task' && reading.sure >= sureTask
  const answer = await callModel(deps, state, { ...heard, wish, isTask })
  if (!answer) return { read: reading, called: undefined }
  const { reading: read, called } = readCall(state, answer, { ...heard, reading, wish, by: model.id, now })
  return { read, called }
}

/** From this probability a message is a task, and no question about an earlier result. */
const sureTask = 0.6

const sureOfTask: TurnReading = { act: 'task', sure: 1, other: 'task', by: 'rules' }

type Direct = { agent: string; recalled: Recalled; until: number }

/**
 * The model's call for a message to an agent that was called directly, where the agent takes a form. `isLate`: it gave no usable
 * answer in time.
 */
export const readForAgent = async (
  deps: ButlerDeps,
  state: ButlerState,
  { agent, recalled, until }: Direct,
): Promise<{ called: ButlerState['called']; isLate: boolean }> => {
  const none = { called: undefined, isLate: false }
  const text = state.said.at(-1) ?? ''
  if (deps.model.id === deps.rules.id) return none
  const own = await deps.findListings({ text, chainId: state.chainId, maxPrice: undefined, agent })
  if (own.every(it => takesPlainText(it.listing.requirement))) return none
  const now = wallClock(deps.now(), recalled.timeZone)
  const wish = await deps.rules.understand(text, clockOf(text, deps.now(), recalled.timeZone))
  const heard = { text, situation: recalled.situation, recalled, wish, isTask: true, until }
  const answer = await callModel(deps, state, heard)
  if (!answer) return { called: undefined, isLate: true }
  const { called } = readCall(state, answer, { ...heard, reading: sureOfTask, by: deps.model.id, now })
  return { called, isLate: false }
}
