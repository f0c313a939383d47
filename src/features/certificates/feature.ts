import { get, post } from '../../http/route.ts'
import type { Feature } from '../feature.ts'
import { certifyOffering } from './certifyOffering.ts'
import { testsOf } from './ports.ts'
import { sendTestJob } from './sendTestJob.ts'
import { readTestJob, testJobs } from './testJobs.ts'
import { certificateTable, testJobTable } from './testJobTable.ts'

/** Test jobs, which owners send to their own agents, and certificates of the offerings that passed them. */
export const certificates: Feature = {
  name: 'certificates',
  routes: [
    post('/agents/{agent}/tests', sendTestJob),
    post('/agents/{agent}/certificates', certifyOffering),
    get('/v1/tests/{test_id}', readTestJob),
  ],
  tables: [testJobTable, certificateTable],
  jobs: testJobs,
  certificatesOf: (tables, agentIds) => testsOf(tables).certificates(agentIds),
}
