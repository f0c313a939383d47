import { INTERRUPT, type Interrupt, isInterrupted, type StateSnapshot } from '@langchain/langgraph'

/** Where a thread is: its state, and the interrupt that it waits at. A thread that does not rest has a node to run. */
export type Thread = { isNew: boolean; rests: boolean; waiting: Interrupt | undefined; values: unknown }

export const toThread = ({ tasks, values, createdAt }: StateSnapshot): Thread => ({
  isNew: createdAt === undefined,
  rests: tasks.every(task => task.interrupts.length > 0),
  waiting: tasks.flatMap(task => task.interrupts)[0],
  values,
})

/** The thread after an invocation, which ends where the graph pauses or has ended. `values` are what it returned. */
export const toStopped = (values: unknown): Thread => ({
  isNew: false,
  rests: true,
  waiting: isInterrupted(values) ? values[INTERRUPT][0] : undefined,
  values,
})
