import { jsonText } from '../../ports/rows/columns.ts'
import { runInput } from '../../ports/rows/run.ts'
import type { Run, RunInput } from '../../ports.ts'
import { followedBy, type Sql, type Tx, type Value } from '../engine/db.ts'
import { insertion, rowOf } from '../engine/rows.ts'

export const inputs = rowOf({ input: jsonText(runInput) })

/** `key`: the interrupt that the input answers, or a name of its own. */
type Input = { runId: string; key: string; said: RunInput }
const add = (input: Input): [text: string, params: Value[]] => {
  const { runId, key, said } = input
  const [insert, params] = insertion('run_input', { runId, interruptId: key, input: JSON.stringify(said) }, ['at'])
  return [`${insert} on conflict (run_id, interrupt_id) do nothing returning input`, params]
}

/** Wakes a run: it is advanced now, or after its current lease ends. */
export const wakeRun = ({ later, notify }: Tx, id: Run['id']): void => {
  later('update run set wake_at = coalesce(wake_at, {NOW}) where id = $1', [id])
  notify('runs')
}

// The run no longer waits for the user, so readers must not see the old question.
const working = `update run set state = 'working', interrupt_id = null, answer = '', wake_at = coalesce(wake_at, {NOW}),
  updated_at = {NOW} where id = $1 and {ADDED}`

/** Records the answer to an interrupt once, and wakes its run. */
export const takeAnswer = async ({ sql, notify }: Tx, input: Input): Promise<RunInput | undefined> => {
  const [text, params] = add(input)
  const taken = inputs.one(await sql(`${text} ${followedBy} ${working}`, params))?.input
  if (taken) notify('runs')
  return taken
}

/** Records an input once. */
export const takeInput = async (run: Sql, input: Input): Promise<RunInput | undefined> =>
  inputs.one(await run(...add(input)))?.input
