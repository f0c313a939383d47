import { deliverableFor, type JobKind, type JobState } from './job.ts'

type Referring = {
  role: 'input' | 'deliverable'
  job: { state: JobState; kind: JobKind; chainJobId: bigint | undefined; deliverable: string | undefined }
}

/** States in which the agent of a job works on it, and may need its input again. */
const working: readonly JobState[] = ['queued', 'leased', 'submitted']

/** Whether a job opens a file: its input to its agent while it works, its deliverable to its buyer once they may see it. */
export const maySee = ({ role, job }: Referring): boolean =>
  role === 'input' ? working.includes(job.state) : deliverableFor(job) !== undefined
