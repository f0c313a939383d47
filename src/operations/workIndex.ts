import type { Store, Wakeups, WorkIndex } from '../ports.ts'

/** A stale entry costs one query; a missing one waits for the next refresh. */
const createIndex = (prefix: string, wakeups: Wakeups, readAll: () => Promise<string[]>): WorkIndex => {
  const queues = new Set<string>()
  wakeups.on(at => {
    if (at.startsWith(prefix)) queues.add(at.slice(prefix.length))
  })
  return {
    mayHave: queue => queues.has(queue),
    add: queue => void queues.add(queue),
    drop: queue => void queues.delete(queue),
    refresh: async () => {
      for (const queue of await readAll()) queues.add(queue)
    },
  }
}

export const createWorkIndex = (store: Pick<Store, 'agentsWithWork'>, wakeups: Wakeups): WorkIndex =>
  createIndex('jobs:', wakeups, () => store.agentsWithWork())

export const createTaskIndex = (store: Pick<Store, 'queuesWithTasks'>, wakeups: Wakeups): WorkIndex =>
  createIndex('tasks:', wakeups, () => store.queuesWithTasks())
