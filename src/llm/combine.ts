import { type Act, canBeMeant, type Situation } from '../domain/runs/acts.ts'
import type { TurnReading } from '../ports.ts'

/** Minimum probability at which a no or cancel of the reader without a model is final. */
const sureEnough = 0.6
const modelSure = 0.95

/** Whether the reader without a model decides alone: the model is not asked about an act that ends something. */
export const isSettled = ({ act, sure }: TurnReading, { stage, hasJob }: Situation): boolean => {
  if (sure < sureEnough) return false
  if (act === 'cancel') return hasJob || stage !== 'none'
  return act === 'no' && stage !== 'none'
}

/** Whether the reader found the same act. A yes is never a model's. An act that the reader is unsure of counts as a task. */
const isHeld = ({ act, sure }: TurnReading, meant: Act): boolean =>
  meant !== 'yes' && (act === meant || (meant === 'task' && sure < sureEnough))

/**
 * The reading of a model, bounded by the reader's own: an act that cannot be meant here gives way, and what the reader does not
 * see is marked, so that a model alone never agrees, cancels, claims money or hires.
 */
export const combine = (reader: TurnReading, act: Act, situation: Situation): TurnReading => {
  // Without an open proposal there is nothing to say yes to.
  if (!canBeMeant(act, situation) || (act === 'yes' && situation.stage === 'none')) return reader
  const other = reader.act === act ? reader.other : reader.act
  return { ...reader, act, other, sure: modelSure, isUnheld: !isHeld(reader, act) }
}
