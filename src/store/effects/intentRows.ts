import { call, intentRow } from '../../ports/rows/effects.ts'
import type { Call, Intent } from '../../ports.ts'
import type { Aside, Row } from '../engine/db.ts'
import { pack } from '../engine/packed.ts'
import { packedJson, rowOf } from '../engine/rows.ts'

/** The state of an intent, and the hash of its latest transaction. */
export const intentState = { state: intentRow.state, hash: intentRow.hash }

const intents = rowOf({ ...intentRow, call: packedJson(call) })

export const intentColumns = intents.columns
export const intentColumnsOf = intents.columnsOf
export const toIntents = (rows: Row[]): Intent[] => intents.all(rows)
/** The intents of a work list. */
export const toSoundIntents = (aside: Aside, rows: Row[]): Intent[] => aside.sound('intent', intents, rows)
export const toIntent = (rows: Row[]): Intent | undefined => intents.one(rows)

/** Encodes a call as JSON text with large numbers as decimal text. */
export const toCallText = ({ to, data, value, gas }: Call): string =>
  JSON.stringify({ to: to ?? null, data, value: value.toString(), gas: gas.toString() })

/** Encodes a call for the column of an intent, which `toIntent` reads. */
export const toPackedCall = (it: Call): Uint8Array => pack(toCallText(it))
