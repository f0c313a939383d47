import type { Hints, Store, WorkIndex } from '../ports.ts'

/** A stale entry costs one query; a missing one waits for the next refresh. */
const createIndex = (prefix: string, hints: Hints, readAll: () => Promise<string[]>): WorkIndex => {
  const queues = new Set<string>()
  hints.on(at => {
    if (at.startsWith(prefix)) queues.add(at.slice(prefix.length))
  })
  return {
    mayHave: queue => queues.has(queue),
    drop: queue => void queues.delete(queue),
    refresh: async () => {
      for (const queue of await readAll()) queues.add(queue)
    },
  }
}

export const createWorkIndex = (store: Pick<Store, 'agentsWithWork'>, hints: Hints): WorkIndex =>
  createIndex('jobs:', hints, () => store.agentsWithWork())

export const createTaskIndex = (store: Pick<Store, 'queuesWithTasks'>, hints: Hints): WorkIndex =>
  createIndex('tasks:', hints, () => store.queuesWithTasks())
