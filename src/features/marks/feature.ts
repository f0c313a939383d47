import { get, post, put, remove } from '../../http/route.ts'
import type { Feature } from '../feature.ts'
import { listMarks, markAgent, markTable, reportAgent, reportTable, unmarkAgent } from './marks.ts'
import { markTables } from './ports.ts'

/** Agents that a user likes, blocks, or reports to the operator. */
export const marks: Feature = {
  name: 'marks',
  routes: [
    get('/v1/marks', listMarks),
    put('/v1/marks/{agent_id}', markAgent),
    remove('/v1/marks/{agent_id}', unmarkAgent),
    post('/v1/reports', reportAgent),
  ],
  tables: [markTable, reportTable],
  blockedBy: (tables, wallet) => markTables(tables).blockedBy(wallet),
  newestReports: (tables, limit) => markTables(tables).newestReports(limit),
  personal: [
    {
      name: 'marks',
      read: async (tables, wallet) => (await markTables(tables).marksOf(wallet)).map(it => ({ ...it })),
      forget: (tables, wallet) => markTables(tables).forgetMarks(wallet),
    },
    {
      name: 'reports',
      read: async (tables, wallet) => (await markTables(tables).reportsOf(wallet)).map(it => ({ ...it })),
      forget: async () => undefined,
    },
  ],
}
