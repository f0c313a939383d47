import { isAbove } from '../../src/domain/money/money.ts'
import { toOwnLines } from '../../src/language/rules/ownLimits.ts'
import { findPerhapsLimits } from '../../src/language/values/wishes.ts'
import type { ButlerState } from './state.ts'

type Costs = { total: string; inputs: readonly object[] }

/** Says what may be a limit that the price exceeds; empty where its user has said a limit, or an input has the number. */
export const toPerhapsText = ({ said, maxPrice, most }: ButlerState, { total, inputs }: Costs): string => {
  if ((most ?? maxPrice) !== undefined) return ''
  const taken = inputs.flatMap(it => Object.values(it)).map(Number)
  const found = said.flatMap(it => findPerhapsLimits(toOwnLines(it)))
  const over = found.find(it => isAbove(total, it.usdc) && !taken.includes(Number(it.usdc)))
  return over ? `You said “${over.said}”. If that is the most you want to pay, say no: this costs ${total} USDC.` : ''
}

/** Says that a plan costs more than its user wants to pay; empty if it does not. */
export const toAboveText = (total: string, limit: string | undefined): string =>
  limit !== undefined && isAbove(total, limit)
    ? `You said at most ${limit} USDC. All steps together cost ${total} USDC. Which step shall I leave out?`
    : ''
