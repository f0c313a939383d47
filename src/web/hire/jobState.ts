import type { RunRecord as Run } from '../../records/run.ts'
import type { RunEvent } from '../client/shapes.ts'

/** Events that name the state of a job. A reorganisation (`job.retracted`) is no state; the record tells what is left. */
const named = /^job\.(?!retracted|restored)(?<state>\w+)$/

/** The state of a run's job. The log is newer than the record of the run, which is read when the run begins and ends. */
export const jobStateIn = (events: RunEvent[], run: Run | undefined): string => {
  const last = events.findLast(it => it.type.startsWith('job.'))
  return named.exec(last?.type ?? '')?.groups?.state ?? run?.job?.state ?? 'open'
}
