/** The parts of a run that the retention time removes. */
export const runParts = ['events', 'messages', 'inputs', 'checkpoints', 'steps', 'deliverables', 'purchased'] as const
export type RunPart = (typeof runParts)[number]

const prunedNames = ['deleted', 'emptied', ...runParts] as const

/**
 * Numbers of records that the retention time removes. `deleted` runs are removed completely. `emptied` runs keep their row,
 * because something was hired, bought or allowed in them.
 */
export type Pruned = Record<(typeof prunedNames)[number], number>

export const nothingPruned: Pruned = {
  deleted: 0,
  emptied: 0,
  events: 0,
  messages: 0,
  inputs: 0,
  checkpoints: 0,
  steps: 0,
  deliverables: 0,
  purchased: 0,
}

export const addPruned = (one: Pruned, other: Pruned): Pruned => {
  const sum = { ...one }
  for (const name of prunedNames) sum[name] += other[name]
  return sum
}

/** Whether a step of pruning removed a run, so that there may be more. */
export const prunedAny = ({ deleted, emptied }: Pruned): boolean => deleted + emptied > 0
