import { isGraphInterrupt } from '@langchain/langgraph'
import { z } from 'zod'
import type { NodeTime } from '../../src/domain/runs/hireTrace.ts'
import type { Equip } from './graph.ts'
import { placeOf } from './history/record.ts'

export type OnNode = (of: NodeTime) => void

const thread = z.object({ thread_id: z.string() })

/** Reports when each node began and ended. A node that waits for the user, or for the end of a job, has not failed. */
export const timed =
  (equip: Equip, onNode: OnNode): Equip =>
  (make, deps) => {
    const run = equip(make, deps)
    return async (state, config) => {
      const { node, step } = placeOf(config)
      const of = { runId: thread.parse(config.configurable).thread_id, node, step, startedAt: deps.now() }
      try {
        const update = await run(state, config)
        onNode({ ...of, endedAt: deps.now(), isFailed: false })
        return update
      } catch (error) {
        onNode({ ...of, endedAt: deps.now(), isFailed: !isGraphInterrupt(error) })
        throw error
      }
    }
  }
