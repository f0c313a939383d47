import type { Feature } from '../feature.ts'
import { taskPushTables } from './ports.ts'
import { taskPushes as pushes, sendTaskPushes } from './sendTaskPushes.ts'
import { taskPushTable } from './taskPushTable.ts'

/** Push notifications of A2A: a client names an address, and is told there when its task waits for it or has ended. */
export const taskPushes: Feature = {
  name: 'taskPushes',
  tables: [taskPushTable],
  taskPushes: pushes,
  personal: [
    {
      name: 'task_pushes',
      read: async (tables, wallet) =>
        (await taskPushTables(tables).taskPushesOfWallet(wallet)).map(({ runId, url, createdAt }) => ({ runId, url, createdAt })),
      forget: (tables, wallet) => taskPushTables(tables).forgetTaskPushes(wallet),
    },
  ],
  workers: { single: ({ deps }) => [sendTaskPushes(deps)] },
}
