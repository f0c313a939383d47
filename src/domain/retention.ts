/**
 * Numbers of records that the retention time removes. `deleted` runs go whole. `emptied` runs keep their row, because something
 * was hired, bought or allowed in them.
 */
export type Pruned = {
  deleted: number
  emptied: number
  events: number
  messages: number
  inputs: number
  checkpoints: number
  steps: number
  deliverables: number
  purchased: number
}

export const nothingPruned: Pruned = {
  ...{ deleted: 0, emptied: 0, events: 0, messages: 0, inputs: 0, checkpoints: 0, steps: 0, deliverables: 0, purchased: 0 },
}

export const addPruned = (one: Pruned, other: Pruned): Pruned => ({
  deleted: one.deleted + other.deleted,
  emptied: one.emptied + other.emptied,
  events: one.events + other.events,
  messages: one.messages + other.messages,
  inputs: one.inputs + other.inputs,
  checkpoints: one.checkpoints + other.checkpoints,
  steps: one.steps + other.steps,
  deliverables: one.deliverables + other.deliverables,
  purchased: one.purchased + other.purchased,
})

/** Whether a step of pruning removed a run, so that there may be more. */
export const prunedAny = ({ deleted, emptied }: Pruned): boolean => deleted + emptied > 0
