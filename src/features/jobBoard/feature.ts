import { get, post } from '../../http/route.ts'
import type { Feature } from '../feature.ts'
import { acceptPosting, completePosting, rejectPosting, submitPosting } from './moves.ts'
import { postedJobTable } from './postedJobTable.ts'
import { postedJobs } from './postingRecord.ts'
import { postJob } from './postJob.ts'
import { listTasks, readTask } from './tasks.ts'

export const jobBoard: Feature = {
  name: 'jobBoard',
  routes: [
    get('/tasks', listTasks),
    get('/tasks/{task_id}', readTask),
    post('/v1/jobs', postJob),
    post('/v1/jobs/{job_id}/accept', acceptPosting),
    post('/v1/jobs/{job_id}/submit', submitPosting),
    post('/v1/jobs/{job_id}/complete', completePosting),
    post('/v1/jobs/{job_id}/reject', rejectPosting),
  ],
  tables: [postedJobTable],
  jobs: postedJobs,
}
