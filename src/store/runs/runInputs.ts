import { jsonText } from '../../ports/rows/columns.ts'
import { runInput } from '../../ports/rows/run.ts'
import type { Run, RunInput } from '../../ports.ts'
import type { Tx } from '../engine/db.ts'
import { insertion, rowOf } from '../engine/rows.ts'

export const inputs = rowOf({ input: jsonText(runInput) })

/** `key`: the interrupt that the input answers, or a name of its own. */
type Input = { runId: string; key: string; said: RunInput }
/** Records an input once. */
export const takeInput = async ({ sql }: Tx, { runId, key, said }: Input) => {
  const [insert, params] = insertion('run_input', { runId, interruptId: key, input: JSON.stringify(said) }, ['at'])
  return inputs.one(await sql(`${insert} on conflict (run_id, interrupt_id) do nothing returning input`, params))?.input
}

/** Wakes a run: it is advanced now, or after its current lease ends. */
export const wakeRun = ({ later, notify }: Tx, id: Run['id']): void => {
  later('update run set wake_at = coalesce(wake_at, {NOW}) where id = $1', [id])
  notify('runs')
}

/** Wakes a run, and the one whose plan it is a step of. */
export const wakeBoth = ({ later, notify }: Tx, id: Run['id']): void => {
  later('update run set wake_at = coalesce(wake_at, {NOW}) where id in ($1, (select parent from run where id = $1))', [id])
  notify('runs')
}

/** Wakes the run whose plan this run is a step of. */
export const wakeParent = async ({ sql, notify }: Tx, id: Run['id']): Promise<void> => {
  const wake = `update run set wake_at = coalesce(wake_at, {NOW}) where id = (select parent from run where id = $1) returning id`
  if ((await sql(wake, [id])).length > 0) notify('runs')
}

const working = `update run set state = 'working', interrupt_id = null, answer = '', wake_at = coalesce(wake_at, {NOW}),
  updated_at = {NOW} where id = $1`

/** Records the answer to an interrupt once, and wakes its run. */
export const takeAnswer = async (tx: Tx, input: Input): Promise<RunInput | undefined> => {
  const taken = await takeInput(tx, input)
  if (!taken) return undefined
  // The run no longer waits for the user, so readers must not see the old question.
  tx.later(working, [input.runId])
  tx.notify('runs')
  return taken
}
