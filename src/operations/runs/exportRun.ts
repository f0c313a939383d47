import { z } from 'zod'
import { Problem } from '../../domain/problem.ts'
import { history } from '../../domain/runs/history.ts'
import { operation } from '../operation.ts'
import { ownRun } from './readRun.ts'

const nothingKept = 'Nothing is kept of how this run was decided: it is too old, or the service keeps no histories (RUN_HISTORY).'

export const exportRun = operation({
  name: 'exportRun',
  summary:
    'What the butler read and decided in a run, step by step, with the questions to the model. It can be replayed offline.',
  caller: 'anyone',
  scope: 'look',
  input: z.object({ run_id: z.string().max(100) }),
  output: history,

  async run({ run_id }, deps, caller) {
    const { id } = await ownRun(deps, run_id, caller)
    const steps = await deps.store.runSteps(id)
    if (steps.length === 0) throw new Problem('not-found', nothingKept)
    return { format: 1 as const, run_id: id, steps }
  },
})
